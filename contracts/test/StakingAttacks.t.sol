// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {IAicStaking} from "../src/interfaces/IAicStaking.sol";
import {Fixture} from "./Fixture.sol";
import {FlashLender, FlashStaker, Reentrant} from "./mocks/Attackers.sol";
import {FalseToken, FeeToken, GreedyToken, HookToken, SilentToken} from "./mocks/Tokens.sol";

/// @dev Borrowed tokens, tokens that behave differently, donations and reentrancy.
contract StakingAttacksTest is Fixture {
    // --- borrowed tokens ------------------------------------------------------------------------------------

    function test_FlashLoan_CannotBeWithdrawnInTheSameTransaction() public {
        FlashLender lender = new FlashLender();
        aic.transfer(address(lender), 200_000 ether);
        FlashStaker borrower = new FlashStaker(staking, true);
        _expectNothing(200_000 ether, block.timestamp + COOLDOWN);
        lender.lend(aic, 200_000 ether, borrower);
        assertEq(staking.stakedBalance(address(borrower)), 0);
    }

    function test_FlashLoan_CannotBeRepaid() public {
        FlashLender lender = new FlashLender();
        aic.transfer(address(lender), 200_000 ether);
        FlashStaker borrower = new FlashStaker(staking, false);
        vm.expectRevert("loan not repaid");
        lender.lend(aic, 200_000 ether, borrower);
        assertEq(staking.stakedBalance(address(borrower)), 0);
    }

    function test_FlashLoan_FailsEvenWithTheShortestCooldown() public {
        AicStaking shortest = new AicStaking(aic, 1);
        FlashLender lender = new FlashLender();
        aic.transfer(address(lender), 200_000 ether);
        FlashStaker borrower = new FlashStaker(shortest, true);
        _expectNothing(200_000 ether, block.timestamp + 1);
        lender.lend(aic, 200_000 ether, borrower);
    }

    // --- other tokens ---------------------------------------------------------------------------------------

    function test_FeeOnTransfer_CreditsWhatArrivedSoThatAllCanLeave() public {
        FeeToken fee = new FeeToken();
        AicStaking over = new AicStaking(fee, COOLDOWN);
        address[2] memory stakers = [alice.addr, bob.addr];
        for (uint256 i = 0; i < 2; ++i) {
            fee.mint(stakers[i], 100);
            vm.startPrank(stakers[i]);
            fee.approve(address(over), 100);
            over.stake(100);
            vm.stopPrank();
            assertEq(over.stakedBalance(stakers[i]), 99);
        }
        assertEq(fee.balanceOf(address(over)), 198);
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(stakers[i]);
            over.unstake(99);
        }
        skip(COOLDOWN);
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(stakers[i]);
            over.withdraw();
        }
        assertEq(fee.balanceOf(address(over)), 0);
    }

    function test_RevertWhen_NothingArrives() public {
        GreedyToken greedy = new GreedyToken();
        AicStaking over = new AicStaking(greedy, COOLDOWN);
        greedy.mint(address(this), 100);
        greedy.approve(address(over), 100);
        vm.expectRevert(IAicStaking.ZeroAmount.selector);
        over.stake(100);
    }

    function test_RevertWhen_TheTokenSaysFalse() public {
        FalseToken liar = new FalseToken();
        AicStaking over = new AicStaking(liar, COOLDOWN);
        liar.mint(address(this), 100);
        liar.approve(address(over), 100);
        liar.setRefuses(true);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(liar)));
        over.stake(100);
    }

    function test_ATokenThatAnswersNothingWorks() public {
        SilentToken silent = new SilentToken();
        AicStaking over = new AicStaking(IERC20(address(silent)), COOLDOWN);
        silent.mint(address(this), 100);
        silent.approve(address(over), 100);
        over.stake(100);
        over.unstake(100);
        skip(COOLDOWN);
        over.withdraw();
        assertEq(silent.balanceOf(address(this)), 100);
    }

    function test_Donation_MovesNobodysStake() public {
        _stakeAs(alice.addr, 100);
        aic.transfer(address(staking), 10_000 ether);
        assertEq(staking.stakedBalance(alice.addr), 100);
        _stakeAs(bob.addr, 1);
        assertEq(staking.stakedBalance(bob.addr), 1);
        vm.startPrank(alice.addr);
        staking.unstake(100);
        skip(COOLDOWN);
        staking.withdraw();
        assertEq(aic.balanceOf(alice.addr), 100);
    }

    // --- reentrancy -----------------------------------------------------------------------------------------

    function test_Reentrancy_NoCallGetsInWhileATransferRuns() public {
        bytes[4] memory attacks = [
            abi.encodeCall(IAicStaking.stake, (50)),
            abi.encodeCall(IAicStaking.stakeWithPermit, (50, 0, 27, 0, 0)),
            abi.encodeCall(IAicStaking.unstake, (50)),
            abi.encodeCall(IAicStaking.withdraw, ())
        ];
        for (uint256 i = 0; i < attacks.length; ++i) {
            (HookToken token, AicStaking over, Reentrant attacker) = _reentrantSetup();
            attacker.arm(
                address(over), attacks[i], abi.encodeCall(IAicStaking.stakedBalance, (address(attacker)))
            );
            attacker.run(address(over), abi.encodeCall(IAicStaking.stake, (100)));
            _assertRepelled(attacker);
            assertEq(abi.decode(attacker.observed(), (uint256)), 0, "not counted before it arrived");
            assertEq(over.stakedBalance(address(attacker)), 100);

            attacker.arm(address(0), "", "");
            attacker.run(address(over), abi.encodeCall(IAicStaking.unstake, (100)));
            skip(COOLDOWN);
            attacker.arm(
                address(over), attacks[i], abi.encodeCall(IAicStaking.withdrawable, (address(attacker)))
            );
            attacker.run(address(over), abi.encodeCall(IAicStaking.withdraw, ()));
            _assertRepelled(attacker);
            assertEq(abi.decode(attacker.observed(), (uint256)), 0, "gone from the books before it leaves");
            assertEq(token.balanceOf(address(attacker)), 200);
            assertEq(token.balanceOf(address(over)), 1_000);
        }
    }

    function _reentrantSetup() private returns (HookToken token, AicStaking over, Reentrant attacker) {
        token = new HookToken();
        over = new AicStaking(token, COOLDOWN);
        attacker = new Reentrant();
        token.mint(address(this), 1_000);
        token.approve(address(over), 1_000);
        over.stake(1_000);
        token.mint(address(attacker), 200);
        attacker.run(address(token), abi.encodeCall(IERC20.approve, (address(over), 200)));
        token.setHook(attacker);
    }

    function _assertRepelled(Reentrant attacker) private view {
        assertTrue(attacker.attacked());
        assertFalse(attacker.succeeded());
        assertEq(
            attacker.failure(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    function _expectNothing(uint256 pending, uint256 releaseTime) private {
        vm.expectRevert(abi.encodeWithSelector(IAicStaking.NothingToWithdraw.selector, pending, releaseTime));
    }
}
