// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {IPresaleVault} from "../../src/presale/interfaces/IPresaleVault.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev The end, both endings, refunds, and what a pause does not change about them.
contract EndingTest is PresaleFixture {
    function test_States() public {
        _assertState(IPresale.State.Waiting);
        vm.warp(START);
        _assertState(IPresale.State.Open);
        _buyAs(alice.addr, 1, 600_000);
        vm.prank(admin);
        presale.pause();
        _assertState(IPresale.State.Paused);
        vm.warp(END - 1);
        _assertState(IPresale.State.Open);
        vm.warp(END);
        _assertState(IPresale.State.CoolingOff);
        vm.warp(END + COOLING_OFF - 1);
        _assertState(IPresale.State.CoolingOff);
        vm.warp(END + COOLING_OFF);
        _assertState(IPresale.State.Ended);
        presale.finalize();
        _assertState(IPresale.State.Finalized);
        assertEq(presale.endedAt(), END + COOLING_OFF);
        assertFalse(presale.cancelled());
    }

    /// @dev The time of the last phase, also when the end of an earlier one is the only one that has passed.
    function test_TheSaleSaysWhenItEndsAndWhenItCanBeFinal() public view {
        assertEq(presale.endsAt(), END);
        assertEq(presale.coolingOff(), COOLING_OFF);
        assertEq(presale.coolingOffUntil(), END + COOLING_OFF);
    }

    function test_FinalizeByAnyone() public {
        _soldSale();
        vm.warp(END + COOLING_OFF);
        vm.expectEmit(address(presale));
        emit IPresale.Finalized(600_000 * ONE_USDC, 30_000_000 ether);
        vm.prank(makeAddr("anyone"));
        presale.finalize();
        vm.expectRevert(IPresale.NotFinished.selector);
        presale.finalize();
        vm.expectRevert(IPresale.NotCancellable.selector);
        vm.prank(admin);
        presale.cancel();
        vm.expectRevert(IPresale.NotRefundable.selector);
        vm.prank(alice.addr);
        presale.refund();
    }

    /// @dev All is sold: the sale still takes its time, and then the cooling-off.
    function test_ASoldOutSaleEndsByTimeAlone() public {
        for (uint256 id = 1; id <= 3; ++id) {
            vm.warp(START + (id - 1) * WEEK);
            _buyAs(alice.addr, id, 500_000 + id * 500_000);
        }
        _assertState(IPresale.State.Open);
        vm.warp(END - 1);
        vm.expectRevert(IPresale.NotFinished.selector);
        presale.finalize();
        vm.warp(END);
        vm.expectRevert(abi.encodeWithSelector(IPresale.CoolingOffUntil.selector, END + COOLING_OFF));
        presale.finalize();
        vm.warp(END + COOLING_OFF - 1);
        vm.expectRevert(abi.encodeWithSelector(IPresale.CoolingOffUntil.selector, END + COOLING_OFF));
        presale.finalize();
        vm.warp(END + COOLING_OFF);
        presale.finalize();
        assertEq(presale.totalSold(), 150_000_000 ether);
        assertEq(presale.raised(), 4_500_000 * ONE_USDC);
    }

    function test_RevertWhen_TheSoftCapIsMissed() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 499_999);
        vm.warp(END);
        vm.expectPartialRevert(IPresale.CoolingOffUntil.selector);
        presale.finalize();
        vm.warp(END + COOLING_OFF);
        vm.expectRevert(
            abi.encodeWithSelector(IPresale.SoftCapMissed.selector, 499_999 * ONE_USDC, 500_000 * ONE_USDC)
        );
        presale.finalize();
        vm.prank(makeAddr("anyone"));
        presale.cancel();
        _assertState(IPresale.State.Cancelled);
        vm.expectRevert(IPresale.NotFinished.selector);
        presale.finalize();
    }

    function test_ExactlyTheSoftCapIsEnough() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 500_000);
        vm.warp(END);
        vm.expectRevert(IPresale.NotCancellable.selector);
        presale.cancel();
        vm.warp(END + COOLING_OFF);
        vm.expectRevert(IPresale.NotCancellable.selector);
        presale.cancel();
        presale.finalize();
    }

    function test_AdminCancelsAlsoAboveTheSoftCapAndAllIsPaidBack() public {
        _soldSale();
        vm.expectRevert(IPresale.NotCancellable.selector);
        presale.cancel();
        vm.expectEmit(address(presale));
        emit IPresale.Cancelled(admin, 600_000 * ONE_USDC);
        vm.prank(admin);
        presale.cancel();
        _refundAs(alice.addr, 400_000);
        _refundAs(bob.addr, 200_000);
        assertEq(usdc.balanceOf(address(vault)), 0);
        assertEq(presale.raised(), 0);
        vm.expectRevert(IPresale.NothingToRefund.selector);
        vm.prank(alice.addr);
        presale.refund();
        vm.expectRevert(IPresale.NotCancellable.selector);
        vm.prank(admin);
        presale.cancel();
    }

    function test_RefundCancelsByItselfWhenTheSoftCapWasMissed() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 100);
        _buyAs(bob.addr, 1, 50);
        vm.warp(END);
        vm.expectEmit(address(presale));
        emit IPresale.Cancelled(alice.addr, 150 * ONE_USDC);
        _refundAs(alice.addr, 100);
        _refundAs(bob.addr, 50);
    }

    /// @dev An admin who bought cannot end the sale by asking for a refund.
    function test_RevertWhen_AnAdminWhoBoughtAsksForARefundInARunningSale() public {
        vm.warp(START);
        usdc.mint(admin, 100 * ONE_USDC);
        vm.startPrank(admin);
        usdc.approve(address(presale), 100 * ONE_USDC);
        presale.buy(1, 100 * ONE_USDC);
        vm.expectRevert(IPresale.NotRefundable.selector);
        presale.refund();
        vm.stopPrank();
        _assertState(IPresale.State.Open);
    }

    function test_RefundPaysTheCallerOnly() public {
        _soldSale();
        vm.prank(admin);
        presale.cancel();
        vm.expectRevert(IPresale.NothingToRefund.selector);
        vm.prank(makeAddr("thief"));
        presale.refund();
    }

    function test_ABlockedBuyerHoldsUpNoOther() public {
        _soldSale();
        vm.prank(admin);
        presale.cancel();
        usdc.blacklist(alice.addr);
        vm.expectRevert("Blacklistable: account is blacklisted");
        vm.prank(alice.addr);
        presale.refund();
        _refundAs(bob.addr, 200_000);
        usdc.unBlacklist(alice.addr);
        _refundAs(alice.addr, 400_000);
    }

    function test_DonationsChangeNothing() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 100);
        usdc.mint(address(vault), 1_000_000 * ONE_USDC);
        usdc.mint(address(presale), 1_000_000 * ONE_USDC);
        assertEq(presale.raised(), 100 * ONE_USDC);
        vm.warp(END);
        _refundAs(alice.addr, 100);
        _assertState(IPresale.State.Cancelled);
    }

    // --- leaving --------------------------------------------------------------------------------------------

    function test_EveryoneLeavesFromTheEndUntilTheSaleIsFinal() public {
        _soldSale();
        uint256 atTheEnd = vm.snapshotState();
        uint256[4] memory times = [END, END + COOLING_OFF - 1, END + COOLING_OFF, END + 1000 days];
        for (uint256 i = 0; i < times.length; ++i) {
            vm.warp(times[i]);
            _refundAs(bob.addr, 200_000);
            assertEq(presale.raised(), 400_000 * ONE_USDC);
            assertEq(presale.totalSold(), 20_000_000 ether);
            vm.expectRevert(IPresale.NothingToRefund.selector);
            vm.prank(makeAddr("stranger"));
            presale.refund();
            _refundAs(alice.addr, 400_000);
            _assertState(IPresale.State.Cancelled);
            assertEq(usdc.balanceOf(address(vault)), 0);
            vm.revertToState(atTheEnd);
        }
    }

    function test_WhoStaysAboveTheSoftCapGetsAic() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 500_000);
        _buyAs(bob.addr, 1, 200_000);
        vm.warp(END + 1 days);
        _refundAs(bob.addr, 200_000);
        vm.warp(END + COOLING_OFF);
        presale.finalize();
        assertEq(presale.raised(), 500_000 * ONE_USDC);
        vm.warp(claims.unsoldFrom());
        vm.prank(alice.addr);
        claims.claim();
        assertEq(aic.balanceOf(alice.addr), 25_000_000 ether);
    }

    // --- the pause ------------------------------------------------------------------------------------------

    function test_PauseStopsNeitherFinalizeNorCancelNorRefund() public {
        _soldSale();
        vm.warp(END + COOLING_OFF);
        uint256 snapshot = vm.snapshotState();
        vm.prank(admin);
        presale.pause();
        presale.finalize();
        vault.route(0);
        vm.revertToState(snapshot);
        vm.startPrank(admin);
        presale.pause();
        presale.cancel();
        vm.stopPrank();
        _refundAs(alice.addr, 400_000);
    }

    /// @dev No admin, and still every buyer gets their USDC or their AIC.
    function testFuzz_WithoutAnAdminEveryBuyerIsServed(uint64 byAlice, uint64 byBob) public {
        byAlice = uint64(bound(byAlice, 10 * ONE_USDC, 600_000 * ONE_USDC));
        byBob = uint64(bound(byBob, 10 * ONE_USDC, 400_000 * ONE_USDC));
        vm.warp(START);
        vm.prank(alice.addr);
        presale.buy(1, byAlice);
        vm.prank(bob.addr);
        presale.buy(1, byBob);
        vm.warp(END);
        if (uint256(byAlice) + byBob < presale.softCap()) {
            uint256 before = usdc.balanceOf(alice.addr);
            vm.prank(alice.addr);
            presale.refund();
            assertEq(usdc.balanceOf(alice.addr) - before, byAlice);
            assertEq(usdc.balanceOf(address(vault)), byBob);
            return;
        }
        skip(COOLING_OFF);
        presale.finalize();
        skip(90 days + 210 days);
        vm.prank(alice.addr);
        claims.claim();
        vm.prank(bob.addr);
        claims.claim();
        assertEq(aic.balanceOf(alice.addr), presale.quote(1, byAlice));
        assertEq(aic.balanceOf(alice.addr) + aic.balanceOf(bob.addr), presale.totalSold());
    }

    function _refundAs(address buyer, uint256 wholeUsdc) private {
        uint256 before = usdc.balanceOf(buyer);
        vm.expectEmit(address(vault));
        emit IPresaleVault.PaidBack(buyer, wholeUsdc * ONE_USDC);
        vm.prank(buyer);
        presale.refund();
        assertEq(usdc.balanceOf(buyer) - before, wholeUsdc * ONE_USDC);
    }
}
