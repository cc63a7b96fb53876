// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {AicStaking} from "../../src/AicStaking.sol";
import {PlainToken} from "../mocks/Tokens.sol";

/// @dev Four accounts that stake, leave, come back, wait and donate in any order.
contract StakingHandler is CommonBase, StdUtils {
    AicStaking public immutable staking;
    PlainToken public immutable token;
    address[] public accounts = [address(0xA1), address(0xA2), address(0xA3), address(0xA4)];
    /// @dev What reached the contract without being staked.
    uint256 public donated;

    constructor(AicStaking staking_, PlainToken token_) {
        (staking, token) = (staking_, token_);
    }

    function stake(uint256 who, uint256 amount) external {
        address account = _account(who);
        // 256 calls must fit into 96 bits.
        amount = bound(amount, 1, 1e26);
        token.mint(account, amount);
        vm.startPrank(account);
        token.approve(address(staking), amount);
        staking.stake(amount);
        vm.stopPrank();
    }

    function unstake(uint256 who, uint256 amount) external {
        address account = _account(who);
        uint256 staked = staking.stakedBalance(account);
        if (staked == 0 || staking.portions(account).length == 8) return;
        vm.prank(account);
        staking.unstake(bound(amount, 1, staked));
    }

    function withdraw(uint256 who) external {
        address account = _account(who);
        if (staking.withdrawable(account) == 0) return;
        vm.prank(account);
        staking.withdraw();
    }

    function donate(uint256 amount) external {
        token.mint(address(staking), amount = bound(amount, 1, 1e27));
        donated += amount;
    }

    function wait(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 2 * staking.cooldown()));
    }

    /// @dev What the contract owes its stakers in all.
    function owed() external view returns (uint256 sum) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            (uint256 pending,) = staking.pendingWithdrawal(accounts[i]);
            sum += staking.stakedBalance(accounts[i]) + pending + staking.withdrawable(accounts[i]);
        }
    }

    /// @dev All accounts leave; reverts if one of them cannot.
    function leaveAll() external {
        vm.warp(block.timestamp + staking.cooldown());
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (staking.portions(accounts[i]).length < 8) continue;
            vm.prank(accounts[i]);
            staking.withdraw();
        }
        for (uint256 i = 0; i < accounts.length; ++i) {
            uint256 staked = staking.stakedBalance(accounts[i]);
            vm.prank(accounts[i]);
            if (staked > 0) staking.unstake(staked);
        }
        vm.warp(block.timestamp + staking.cooldown());
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (staking.withdrawable(accounts[i]) == 0) continue;
            vm.prank(accounts[i]);
            staking.withdraw();
        }
    }

    function _account(uint256 who) private view returns (address) {
        return accounts[who % accounts.length];
    }
}
