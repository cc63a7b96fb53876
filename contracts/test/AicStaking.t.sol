// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {IAicStaking} from "../src/interfaces/IAicStaking.sol";
import {Fixture} from "./Fixture.sol";
import {FeeToken} from "./mocks/Tokens.sol";

contract AicStakingTest is Fixture {
    function test_StakeCountsAtOnceAndToTheUnit() public {
        _stakeAs(alice.addr, 1_000 ether - 1);
        assertEq(staking.stakedBalance(alice.addr), 999_999_999_999_999_999_999);
        _stakeAs(alice.addr, 1);
        assertEq(staking.stakedBalance(alice.addr), 1_000_000_000_000_000_000_000);
        assertEq(staking.stakedBalance(bob.addr), 0);
        assertEq(staking.token(), address(aic));
        assertEq(staking.cooldown(), 604_800);
    }

    function test_UnstakeStopsCountingAtOnceAndPaysAfterTheCooldown() public {
        _stakeAs(alice.addr, 100);
        uint256 start = block.timestamp;
        vm.startPrank(alice.addr);
        vm.expectEmit(address(staking));
        emit IAicStaking.Unstaked(alice.addr, 60, start + COOLDOWN);
        staking.unstake(60);
        assertEq(staking.stakedBalance(alice.addr), 40);
        _assertPending(alice.addr, 60, start + COOLDOWN);

        vm.warp(start + COOLDOWN - 1);
        _expectNothing(60, start + COOLDOWN);
        staking.withdraw();

        vm.warp(start + COOLDOWN);
        _assertPending(alice.addr, 0, 0);
        assertEq(staking.withdrawable(alice.addr), 60);
        vm.expectEmit(address(staking));
        emit IAicStaking.Withdrawn(alice.addr, 60);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 60);
        _expectNothing(0, 0);
        staking.withdraw();
    }

    function test_UnstakingAgainLeavesTheWaitOfEarlierPortions() public {
        _stakeAs(alice.addr, 1_000_000);
        uint256 start = block.timestamp;
        vm.startPrank(alice.addr);
        staking.unstake(999_999);
        vm.warp(start + 6 days);
        staking.unstake(1);
        _assertPending(alice.addr, 1_000_000, start + 6 days + COOLDOWN);
        _expectNothing(1_000_000, start + COOLDOWN);
        staking.withdraw();

        vm.warp(start + COOLDOWN);
        assertEq(staking.withdrawable(alice.addr), 999_999);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 999_999);
        _assertPending(alice.addr, 1, start + 6 days + COOLDOWN);
    }

    function test_EightPortionsEachWithItsTime_ANinthIsRefused() public {
        _stakeAs(alice.addr, 1_000);
        uint256 start = block.timestamp;
        vm.startPrank(alice.addr);
        for (uint256 i = 0; i < 8; ++i) {
            vm.warp(start + i);
            staking.unstake(1 + i);
        }
        assertEq(staking.portions(alice.addr).length, 8);
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.TooManyPortions.selector, start + COOLDOWN));
        staking.unstake(1);

        // Three are past their wait: 1 + 2 + 3.
        vm.warp(start + COOLDOWN + 2);
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.TooManyPortions.selector, start + COOLDOWN));
        staking.unstake(1);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 6);
        IAicStaking.Portion[] memory left = staking.portions(alice.addr);
        assertEq(left.length, 5);
        for (uint256 i = 0; i < 5; ++i) {
            assertEq(left[i].amount, 4 + i);
            assertEq(left[i].releaseTime, start + 3 + i + COOLDOWN);
        }

        staking.unstake(100);
        skip(COOLDOWN);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 136);
        assertEq(staking.portions(alice.addr).length, 0);
        _assertPending(alice.addr, 0, 0);
    }

    function test_WithdrawingTheFirstOfTwoLeavesTheSecond() public {
        _stakeAs(alice.addr, 100);
        vm.startPrank(alice.addr);
        staking.unstake(10);
        skip(1);
        staking.unstake(20);
        skip(COOLDOWN - 1);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 10);
        skip(1);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 30);
    }

    function test_RevertWhen_TheTokenHasNoCode() public {
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.TokenHasNoCode.selector, alice.addr));
        new AicStaking(IERC20(alice.addr), COOLDOWN);
    }

    /// @dev The supply fits into the 96 bits of a stake, and a stake beyond them is refused whole.
    function test_Bounds_TheWholeSupplyCanBeStakedAndMoreThan96BitsIsRefused() public {
        _stakeAs(alice.addr, 1e27);
        assertEq(staking.stakedBalance(alice.addr), 1e27);
        FeeToken many = new FeeToken();
        AicStaking over = new AicStaking(many, COOLDOWN);
        many.mint(address(this), uint256(1) << 98);
        many.approve(address(over), uint256(1) << 98);
        vm.expectPartialRevert(SafeCast.SafeCastOverflowedUintDowncast.selector);
        over.stake(uint256(1) << 98);
    }

    function test_UnstakingAgainLeavesWhatIsReleasedWithdrawable() public {
        _stakeAs(alice.addr, 100);
        vm.startPrank(alice.addr);
        staking.unstake(10);
        skip(COOLDOWN);
        staking.unstake(5);
        assertEq(staking.withdrawable(alice.addr), 10);
        _assertPending(alice.addr, 5, block.timestamp + COOLDOWN);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 10);
        _assertPending(alice.addr, 5, block.timestamp + COOLDOWN);
        skip(COOLDOWN);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 15);
    }

    function test_StakeWithPermit() public {
        aic.transfer(alice.addr, 100);
        bytes32 digest = _permitDigest(address(aic), alice.addr, address(staking), 100, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        vm.prank(alice.addr);
        staking.stakeWithPermit(100, block.timestamp + 1 hours, v, r, s);
        assertEq(staking.stakedBalance(alice.addr), 100);
    }

    function test_FrontRunning_APermitSentFirstStillStakes() public {
        aic.transfer(alice.addr, 100);
        bytes32 digest = _permitDigest(address(aic), alice.addr, address(staking), 100, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        uint256 deadline = block.timestamp + 1 hours;
        vm.prank(bob.addr);
        aic.permit(alice.addr, address(staking), 100, deadline, v, r, s);
        vm.prank(alice.addr);
        staking.stakeWithPermit(100, deadline, v, r, s);
        assertEq(staking.stakedBalance(alice.addr), 100);
    }

    function test_FrontRunning_NobodyElseCanUseThePermit() public {
        aic.transfer(alice.addr, 100);
        bytes32 digest = _permitDigest(address(aic), alice.addr, address(staking), 100, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        _expectAllowance(address(staking), 0, 100);
        vm.prank(bob.addr);
        staking.stakeWithPermit(100, block.timestamp + 1 hours, v, r, s);
        assertEq(aic.balanceOf(alice.addr), 100);
    }

    function test_Approvals_ExactlyWhatIsStakedIsTaken() public {
        aic.approve(address(staking), 100);
        staking.stake(60);
        assertEq(aic.allowance(address(this), address(staking)), 40);
        _expectAllowance(address(staking), 40, 41);
        staking.stake(41);
    }

    function test_RevertWhen_StakingNothing() public {
        vm.expectRevert(IAicStaking.ZeroAmount.selector);
        staking.stake(0);
    }

    function test_RevertWhen_UnstakingNothing() public {
        vm.expectRevert(IAicStaking.ZeroAmount.selector);
        staking.unstake(0);
    }

    function test_RevertWhen_UnstakingMoreThanStaked() public {
        _stakeAs(alice.addr, 100);
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.StakeTooSmall.selector, 100, 101));
        vm.prank(alice.addr);
        staking.unstake(101);
    }

    function test_RevertWhen_UnstakingTheSameTwice() public {
        _stakeAs(alice.addr, 100);
        vm.startPrank(alice.addr);
        staking.unstake(100);
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.StakeTooSmall.selector, 0, 100));
        staking.unstake(100);
    }

    /// @dev An external call: a test ends at the first `new` that reverts.
    function create(uint256 cooldown) external {
        new AicStaking(aic, cooldown);
    }

    function test_RevertWhen_TheCooldownIsOutOfRange() public {
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.CooldownOutOfRange.selector, 0));
        this.create(0);
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.CooldownOutOfRange.selector, 30 days + 1));
        this.create(30 days + 1);
        assertEq(new AicStaking(aic, 30 days).cooldown(), 2_592_000);
        assertEq(new AicStaking(aic, 1).cooldown(), 1);
    }

    function testFuzz_AllThatWasStakedComesBack(uint96 first, uint96 second, uint96 part, uint32 wait)
        public
    {
        first = uint96(bound(first, 1, 4e26));
        second = uint96(bound(second, 1, 4e26));
        part = uint96(bound(part, 1, first));
        _stakeAs(alice.addr, first);
        vm.prank(alice.addr);
        staking.unstake(part);
        skip(bound(wait, 0, 2 * COOLDOWN));
        _stakeAs(alice.addr, second);
        assertEq(staking.stakedBalance(alice.addr), uint256(first) - part + second);

        vm.startPrank(alice.addr);
        staking.unstake(uint256(first) - part + second);
        skip(COOLDOWN);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), uint256(first) + second);
        assertEq(aic.balanceOf(address(staking)), 0);
    }

    /// @dev Whatever the times between them, every portion is paid once, never before its own time.
    function testFuzz_PortionsArePaidOnceAndNeverEarly(uint32[12] memory waits, uint32[12] memory parts)
        public
    {
        _stakeAs(alice.addr, 1e24);
        uint256[12] memory amounts;
        uint256[12] memory times;
        uint256 made = 0;
        vm.startPrank(alice.addr);
        for (uint256 i = 0; i < 12; ++i) {
            skip(bound(waits[i], 0, COOLDOWN));
            uint256 due = 0;
            uint256 unpaid = 0;
            for (uint256 j = 0; j < made; ++j) {
                if (times[j] <= block.timestamp) due += amounts[j];
                if (amounts[j] > 0) ++unpaid;
            }
            assertEq(staking.withdrawable(alice.addr), due);
            uint256 before = aic.balanceOf(alice.addr);
            if (due > 0 && (parts[i] % 2 == 0 || unpaid == 8)) {
                staking.withdraw();
                assertEq(aic.balanceOf(alice.addr) - before, due);
                for (uint256 j = 0; j < made; ++j) {
                    if (times[j] <= block.timestamp) amounts[j] = 0;
                }
            }
            if (staking.portions(alice.addr).length == 8) continue;
            (amounts[made], times[made]) = (uint256(parts[i]) + 1, block.timestamp + COOLDOWN);
            staking.unstake(amounts[made]);
            ++made;
        }
        skip(COOLDOWN);
        staking.withdraw();
        assertEq(staking.stakedBalance(alice.addr) + aic.balanceOf(alice.addr), 1e24);
    }

    function _assertPending(address account, uint256 amount, uint256 releaseTime) private view {
        (uint256 pending, uint256 time) = staking.pendingWithdrawal(account);
        assertEq(pending, amount);
        assertEq(time, releaseTime);
    }

    function _expectNothing(uint256 pending, uint256 releaseTime) private {
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.NothingToWithdraw.selector, pending, releaseTime));
    }

    function _expectAllowance(address spender, uint256 allowance, uint256 needed) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, spender, allowance, needed
            )
        );
    }
}
