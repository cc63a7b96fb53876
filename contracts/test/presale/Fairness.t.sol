// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Presale} from "../../src/presale/Presale.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev Buys with a loan and tries to end or to leave the sale before it pays the loan back, all in one transaction.
contract Borrower {
    enum Plan {
        BuyAndFinalize,
        BuyAndLeave
    }

    function run(Presale presale, IERC20 usdc, uint256 phaseId, uint256 amount, Plan plan) external {
        usdc.approve(address(presale), amount);
        presale.buy(phaseId, amount);
        if (plan == Plan.BuyAndFinalize) presale.finalize();
        presale.refund();
        usdc.transfer(msg.sender, amount);
    }
}

/// @dev Rules 1, 2 and 6 of the sale bind the team as they bind buyers: its end, the cooling-off, walking away. Each attack
/// fails, and the honest flow beside it passes.
contract FairnessTest is PresaleFixture {
    address private _team = makeAddr("a wallet of the team");

    // --- the end --------------------------------------------------------------------------------------------

    function test_RevertWhen_ALoanEndsTheSale() public {
        Borrower borrower = _loan(2_000_000);
        uint256[2] memory times = [START + 2 * WEEK, END - 1];
        for (uint256 i = 0; i < times.length; ++i) {
            vm.warp(times[i]);
            vm.expectRevert(IPresale.NotFinished.selector);
            borrower.run(
                presale, IERC20(address(usdc)), 3, 2_000_000 * ONE_USDC, Borrower.Plan.BuyAndFinalize
            );
        }
        assertEq(presale.raised(), 0);
        _assertState(IPresale.State.Open);
    }

    function test_RevertWhen_ALoanFillsTheSaleAndLeaves() public {
        Borrower borrower = _loan(2_000_000);
        vm.warp(END - 1);
        vm.expectRevert(IPresale.NotRefundable.selector);
        borrower.run(presale, IERC20(address(usdc)), 3, 2_000_000 * ONE_USDC, Borrower.Plan.BuyAndLeave);
        vm.warp(END);
        vm.expectRevert(abi.encodeWithSelector(IPresale.NotOpen.selector, 3, IPresale.State.CoolingOff));
        borrower.run(presale, IERC20(address(usdc)), 3, 2_000_000 * ONE_USDC, Borrower.Plan.BuyAndLeave);
    }

    /// @dev The honest flow: everyone can buy the last piece until the last second, and the sale goes its way.
    function test_ABuyerOfTheWholeRestIsABuyerLikeTheOthers() public {
        vm.warp(END - 1);
        _buyAs(alice.addr, 3, 2_000_000);
        vm.warp(END + COOLING_OFF);
        presale.finalize();
        vm.warp(claims.unsoldFrom());
        vm.prank(alice.addr);
        claims.claim();
        assertEq(aic.balanceOf(alice.addr), 50_000_000 ether);
    }

    // --- the cooling-off ------------------------------------------------------------------------------------

    /// @dev The team lifts the sale to its soft cap with its own money. To have it back it has to leave before the sale is
    /// final, and then the sale misses its soft cap.
    function test_RevertWhen_TheTeamLiftsTheSaleToItsSoftCapAndLeaves() public {
        _teamBuys(400_000);
        vm.warp(END);
        vm.expectRevert(abi.encodeWithSelector(IPresale.CoolingOffUntil.selector, END + COOLING_OFF));
        vm.prank(admin);
        presale.finalize();
        vm.warp(END + COOLING_OFF);
        vm.prank(_team);
        presale.refund();
        vm.expectRevert(
            abi.encodeWithSelector(IPresale.SoftCapMissed.selector, 100_000 * ONE_USDC, 500_000 * ONE_USDC)
        );
        presale.finalize();
        uint256 before = usdc.balanceOf(alice.addr);
        vm.prank(alice.addr);
        presale.refund();
        assertEq(usdc.balanceOf(alice.addr) - before, 100_000 * ONE_USDC);
    }

    function test_RevertWhen_TheTeamFinalizesFirstAndThenLeaves() public {
        _teamBuys(400_000);
        vm.warp(END + COOLING_OFF);
        presale.finalize();
        vm.expectRevert(IPresale.NotRefundable.selector);
        vm.prank(_team);
        presale.refund();
        vm.expectRevert(IPresale.NotCancellable.selector);
        vm.prank(admin);
        presale.cancel();
    }

    /// @dev Turning the same money over from phase to phase would need a way out before the end.
    function testFuzz_RevertWhen_SomeoneLeavesBeforeTheEnd(uint256 seed) public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 100_000);
        for (uint256 i = 0; i < 12; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            vm.warp(_min(block.timestamp + (seed % 4 days), END - 1));
            // Pauses in any order; those that are refused change nothing.
            vm.prank(admin);
            try presale.pause() {} catch {}
            if (seed % 2 == 0) {
                vm.warp(_min(block.timestamp + ((seed >> 8) % 2 days), END - 1));
                vm.prank(admin);
                try presale.unpause() {} catch {}
            }
            vm.expectRevert(IPresale.NotRefundable.selector);
            vm.prank(alice.addr);
            presale.refund();
        }
        vm.warp(END);
        vm.prank(alice.addr);
        presale.refund();
        assertEq(presale.bought(alice.addr).usdc, 0);
    }

    /// @dev A pause over the end delays neither the end nor leaving.
    function test_APauseOverTheEndChangesNoTime() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 600_000);
        vm.warp(END - 1);
        vm.prank(admin);
        presale.pause();
        _assertState(IPresale.State.Paused);
        vm.warp(END);
        _assertState(IPresale.State.CoolingOff);
        uint256 snapshot = vm.snapshotState();
        vm.prank(alice.addr);
        presale.refund();
        vm.revertToState(snapshot);
        vm.warp(END + COOLING_OFF);
        vm.startPrank(admin);
        try presale.pause() {} catch {}
        vm.stopPrank();
        presale.finalize();
    }

    // --- walking away, and the admin alone ------------------------------------------------------------------

    function test_TheAdminCancelsUntilTheSaleIsFinalAndAllIsPaidBack() public {
        uint256[4] memory times = [START + WEEK, END, END + COOLING_OFF - 1, END + COOLING_OFF + 90 days];
        vm.warp(START);
        _buyAs(alice.addr, 1, 600_000);
        for (uint256 i = 0; i < times.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.warp(times[i]);
            vm.prank(admin);
            presale.cancel();
            _assertState(IPresale.State.Cancelled);
            vm.warp(times[i] + 3_000 days);
            vm.prank(alice.addr);
            presale.refund();
            assertEq(usdc.balanceOf(address(vault)), 0);
            vm.revertToState(snapshot);
        }
    }

    /// @dev Admin and operators together, with all their calls, get no USDC of a buyer before the sale is final.
    function test_RevertWhen_TheAdminAloneTriesToTakeTheUsdc() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 600_000);
        vm.warp(END + COOLING_OFF - 1);
        vm.startPrank(admin);
        vm.expectPartialRevert(IPresale.CoolingOffUntil.selector);
        presale.finalize();
        vm.expectRevert();
        vault.route(0);
        vm.expectRevert();
        vault.pay(admin, 1);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        presale.returnMistaken(admin, 1);
        presale.cancel();
        vm.expectRevert(IPresale.NothingToRefund.selector);
        presale.refund();
        vm.stopPrank();
        assertEq(usdc.balanceOf(address(vault)), 600_000 * ONE_USDC);
    }

    // --- USDC that was sent by mistake ----------------------------------------------------------------------

    function test_UsdcSentToThePresaleByMistakeIsReturned() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 100);
        usdc.mint(address(presale), 70 * ONE_USDC);
        vm.expectEmit(address(presale));
        emit IPresale.MistakenReturned(bob.addr, 50 * ONE_USDC);
        uint256 before = usdc.balanceOf(bob.addr);
        vm.startPrank(admin);
        presale.returnMistaken(bob.addr, 50 * ONE_USDC);
        assertEq(usdc.balanceOf(bob.addr) - before, 50 * ONE_USDC);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        presale.returnMistaken(bob.addr, 20 * ONE_USDC + 1);
        presale.returnMistaken(bob.addr, 20 * ONE_USDC);
        vm.stopPrank();
        assertEq(usdc.balanceOf(address(vault)), 100 * ONE_USDC);
        assertEq(presale.raised(), 100 * ONE_USDC);
    }

    function test_RevertWhen_AnotherThanTheAdminReturnsMistakes() public {
        usdc.mint(address(presale), ONE_USDC);
        vm.expectRevert();
        vm.prank(operator);
        presale.returnMistaken(operator, ONE_USDC);
    }

    // --- helpers --------------------------------------------------------------------------------------------

    function _loan(uint256 wholeUsdc) private returns (Borrower borrower) {
        borrower = new Borrower();
        usdc.mint(address(borrower), wholeUsdc * ONE_USDC);
    }

    /// @dev 100,000 USDC of a buyer, and `wholeUsdc` of the team.
    function _teamBuys(uint256 wholeUsdc) private {
        vm.warp(START);
        _buyAs(alice.addr, 1, 100_000);
        usdc.mint(_team, wholeUsdc * ONE_USDC);
        vm.prank(_team);
        usdc.approve(address(presale), wholeUsdc * ONE_USDC);
        _buyAs(_team, 1, wholeUsdc);
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
