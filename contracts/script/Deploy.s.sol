// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {AicToken} from "../src/AicToken.sol";
import {PaymentSplitter} from "../src/PaymentSplitter.sol";
import {WrappedAic} from "../src/WrappedAic.sol";
import {Recorded} from "./Recorded.sol";

/// @notice Deploys AIC's contracts. `npm run contracts -- record` then writes where they are into `addresses.json`.
/// Read from the environment: `AIC_TREASURY_ADDRESS` and `AIC_BURN_BPS`; `AIC_TOKEN_ADDRESS`, which every chain but the test
/// chains must name; `AIC_COOLDOWN_SECONDS`, 7 days when it is unset; `AIC_REPLACE=true` to deploy again where
/// `addresses.json` has an entry. The key comes from forge's own options, for example
/// `npm run contracts:forge -- script script/Deploy.s.sol --rpc-url … --account … --broadcast`.
contract Deploy is Recorded {
    uint256 private constant SUPPLY = 1_000_000_000 ether;

    struct Options {
        address token;
        address treasury;
        uint256 burnBps;
        uint256 cooldown;
    }

    struct Contracts {
        address token;
        address wrapped;
        address staking;
        address splitter;
    }

    /// @notice The share is more than everything.
    error BurnShareTooLarge(uint256 burnBps);
    /// @notice Only test chains get a new AIC; anywhere else a second one would be worth nothing.
    error TokenAddressMissing(uint256 chainId);
    /// @notice The contract at the token's address is not AIC: 18 decimals, a supply of 10^27 and EIP-2612.
    error NotAic(address token);
    /// @notice The treasury is the token; what it received could never leave.
    error TreasuryIsToken();

    function run() external {
        Options memory options = Options({
            token: vm.envOr("AIC_TOKEN_ADDRESS", address(0)),
            treasury: vm.envAddress("AIC_TREASURY_ADDRESS"),
            burnBps: vm.envUint("AIC_BURN_BPS"),
            cooldown: vm.envOr("AIC_COOLDOWN_SECONDS", uint256(7 days))
        });
        check(options);
        _checkNotRecorded("token", vm.envOr("AIC_REPLACE", false));
        vm.startBroadcast();
        (, address deployer,) = vm.readCallers();
        deploy(options, deployer);
        vm.stopBroadcast();
    }

    /// @notice Reverts when the options would deploy something wrong; sends nothing.
    function check(Options memory options) public view {
        require(options.burnBps <= 10_000, BurnShareTooLarge(options.burnBps));
        if (options.token == address(0)) {
            require(isTestChain(block.chainid), TokenAddressMissing(block.chainid));
            return;
        }
        require(_isAic(options.token), NotAic(options.token));
        require(options.treasury != options.token, TreasuryIsToken());
    }

    /// @notice Deploys in the caller's name.
    /// @param holder Receives the supply of a new AIC.
    function deploy(Options memory options, address holder) public returns (Contracts memory contracts) {
        contracts.token = options.token == address(0) ? address(_newAic(holder)) : options.token;
        contracts.wrapped = address(new WrappedAic(IERC20Metadata(contracts.token)));
        contracts.staking = address(new AicStaking(IERC20Metadata(contracts.token), options.cooldown));
        contracts.splitter = address(new PaymentSplitter(options.treasury, options.burnBps));
    }

    function _newAic(address holder) private returns (AicToken) {
        AicToken.Allocation[] memory all = new AicToken.Allocation[](1);
        all[0] = AicToken.Allocation(holder, SUPPLY);
        return new AicToken(all);
    }

    function _isAic(address token) private view returns (bool) {
        return _word(token, abi.encodeCall(IERC20Metadata.decimals, ())) == bytes32(uint256(18))
            && _word(token, abi.encodeWithSignature("totalSupply()")) == bytes32(SUPPLY)
            && _word(token, abi.encodeCall(IERC20Permit.DOMAIN_SEPARATOR, ())) != 0;
    }

    /// @dev The one word that a call returns; 0 when it returns anything else, as an address without code does.
    function _word(address target, bytes memory call) private view returns (bytes32) {
        (bool ok, bytes memory answer) = target.staticcall(call);
        return ok && answer.length == 32 ? abi.decode(answer, (bytes32)) : bytes32(0);
    }
}
