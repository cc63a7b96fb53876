// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Script} from "forge-std/Script.sol";

/// @notice What the deployment scripts share: which chains are for tests, and what `addresses.json` has already.
abstract contract Recorded is Script {
    /// @notice `addresses.json` names these contracts on this chain already.
    error AlreadyRecorded(uint256 chainId, string name);

    /// @notice Whether a chain's tokens are worth nothing: a local chain, Sepolia, Base Sepolia.
    function isTestChain(uint256 chainId) public pure returns (bool) {
        return chainId == 31337 || chainId == 11155111 || chainId == 84532;
    }

    function _checkNotRecorded(string memory name, bool replace) internal view {
        if (replace) return;
        string memory key = string.concat(".", vm.toString(block.chainid), ".", name);
        bool isRecorded = vm.keyExistsJson(vm.readFile("./addresses.json"), key);
        require(!isRecorded, AlreadyRecorded(block.chainid, name));
    }
}
