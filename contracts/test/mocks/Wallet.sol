// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev A contract wallet: its owner's signature, with any number of bytes after it, is its own.
contract Wallet is IERC1271 {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        bytes memory first = new bytes(65);
        for (uint256 i = 0; i < 65 && i < signature.length; ++i) {
            first[i] = signature[i];
        }
        (address signer,,) = ECDSA.tryRecover(hash, first);
        return signer == _owner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
