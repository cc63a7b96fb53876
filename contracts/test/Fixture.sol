// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test, Vm} from "forge-std/Test.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {AicToken} from "../src/AicToken.sol";
import {PaymentSplitter} from "../src/PaymentSplitter.sol";
import {WrappedAic} from "../src/WrappedAic.sol";

/// @dev The four contracts as they are deployed, and two accounts that can sign.
abstract contract Fixture is Test {
    uint256 internal constant COOLDOWN = 7 days;
    uint256 internal constant BURN_BPS = 2000;

    AicToken internal aic;
    WrappedAic internal wrapped;
    AicStaking internal staking;
    PaymentSplitter internal splitter;

    address internal treasury = makeAddr("treasury");
    Vm.Wallet internal alice = vm.createWallet("alice");
    Vm.Wallet internal bob = vm.createWallet("bob");

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        aic = _newAic(address(this));
        wrapped = new WrappedAic(aic);
        staking = new AicStaking(aic, COOLDOWN);
        splitter = new PaymentSplitter(treasury, BURN_BPS);
    }

    /// @dev A new AIC whose whole supply belongs to `holder`.
    function _newAic(address holder) internal returns (AicToken) {
        AicToken.Allocation[] memory all = new AicToken.Allocation[](1);
        all[0] = AicToken.Allocation(holder, 1e27);
        return new AicToken(all);
    }

    /// @dev Wraps tokens for `to`.
    function _wrapTo(address to, uint256 amount) internal {
        aic.approve(address(wrapped), amount);
        wrapped.depositFor(to, amount);
    }

    /// @dev Transfers AIC to `account` and stakes it.
    function _stakeAs(address account, uint256 amount) internal {
        aic.transfer(account, amount);
        vm.startPrank(account);
        aic.approve(address(staking), amount);
        staking.stake(amount);
        vm.stopPrank();
    }

    function _permitDigest(address token, address owner, address spender, uint256 value, uint256 nonce)
        internal
        view
        returns (bytes32)
    {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash =
            keccak256(abi.encode(typehash, owner, spender, value, nonce, block.timestamp + 1 hours));
        return keccak256(abi.encodePacked("\x19\x01", AicToken(token).DOMAIN_SEPARATOR(), structHash));
    }
}
