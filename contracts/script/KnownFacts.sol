// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CommonBase} from "forge-std/Base.sol";

interface ISafe {
    function getThreshold() external view returns (uint256);
    function getOwners() external view returns (address[] memory);
    function getModulesPaginated(address start, uint256 pageSize)
        external
        view
        returns (address[] memory modules, address next);
}

interface IDecimals {
    function decimals() external view returns (uint8);
}

/// @notice Compares addresses with what is known in `launch/known.json`: Circle's USDC of each chain, the code of Safes, and the
/// least values where money is real. `npm run presale:check` reads the same file.
abstract contract KnownFacts is CommonBase {
    uint256 private constant LOCAL_CHAIN = 31337;
    uint256 private constant USDC_DECIMALS = 6;
    /// @dev The list of modules begins and ends with it.
    address private constant SENTINEL = address(1);

    /// @notice No launch is possible on this chain: its USDC is not known here.
    error UnknownChain(uint256 chainId);
    /// @notice Circle's USDC of this chain has another address.
    error WrongUsdc(address usdc, address known);
    /// @notice There is no contract at the address of USDC.
    error UsdcHasNoCode(address usdc);
    /// @notice The token does not have the 6 decimals in which all prices are.
    error WrongDecimals(address usdc);
    /// @notice The admin must be a Safe that needs two signatures or more.
    error AdminIsNoMultisig(address admin, string fault);

    function _checkUsdc(address usdc) internal view {
        if (block.chainid != LOCAL_CHAIN) {
            string memory key = string.concat(".usdc.", vm.toString(block.chainid));
            require(vm.keyExistsJson(_facts(), key), UnknownChain(block.chainid));
            address known = vm.parseJsonAddress(_facts(), key);
            require(usdc == known, WrongUsdc(usdc, known));
        }
        require(usdc.code.length > 0, UsdcHasNoCode(usdc));
        (bool ok, bytes memory answer) = usdc.staticcall(abi.encodeCall(IDecimals.decimals, ()));
        bool isSix = ok && answer.length == 32 && abi.decode(answer, (uint256)) == USDC_DECIMALS;
        require(isSix, WrongDecimals(usdc));
    }

    /// @dev By the code: any contract can answer like a Safe.
    function _checkSafe(address admin) internal view {
        require(_isKnown(admin.codehash, ".safeProxies"), AdminIsNoMultisig(admin, "not the proxy of a Safe"));
        address singleton = address(uint160(uint256(vm.load(admin, 0))));
        require(_isKnown(singleton.codehash, ".safes"), AdminIsNoMultisig(admin, "not the code of a Safe"));
        uint256 threshold = ISafe(admin).getThreshold();
        require(threshold >= _least("signatures"), AdminIsNoMultisig(admin, "too few signatures"));
        uint256 owners = ISafe(admin).getOwners().length;
        require(owners >= threshold, AdminIsNoMultisig(admin, "fewer owners than signatures"));
        (address[] memory modules,) = ISafe(admin).getModulesPaginated(SENTINEL, 1);
        require(modules.length == 0, AdminIsNoMultisig(admin, "a module acts without signatures"));
    }

    function _least(string memory name) internal view returns (uint256) {
        return vm.parseJsonUint(_facts(), string.concat(".least.", name));
    }

    function _isKnown(bytes32 hash, string memory list) private view returns (bool) {
        string[] memory versions = vm.parseJsonKeys(_facts(), list);
        for (uint256 i = 0; i < versions.length; ++i) {
            string memory key = string.concat(list, "['", versions[i], "']");
            if (vm.parseJsonBytes32(_facts(), key) == hash) return true;
        }
        return false;
    }

    function _facts() private view returns (string memory) {
        return vm.readFile("./launch/known.json");
    }
}
