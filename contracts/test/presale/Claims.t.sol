// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ClaimModule} from "../../src/presale/ClaimModule.sol";
import {IClaimModule} from "../../src/presale/interfaces/IClaimModule.sol";
import {ITimedPause} from "../../src/presale/interfaces/ITimedPause.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev AIC is claimed as it becomes free, from the TGE on.
contract ClaimsTest is PresaleFixture {
    function test_ClaimAsItBecomesFree() public {
        _finalizedSale();
        uint256 tge = END + COOLING_OFF + 90 days;
        assertEq(claims.tge(), tge);
        vm.warp(tge - 1);
        _claimNothing(alice.addr, 0, 20_000_000 ether);
        vm.warp(tge);
        _claimAs(alice.addr, 2_000_000 ether, 18_000_000 ether);
        vm.warp(tge + 30 days);
        _claimNothing(alice.addr, 2_000_000 ether, 20_000_000 ether);
        vm.warp(tge + 30 days + 90 days);
        _claimAs(alice.addr, 9_000_000 ether, 9_000_000 ether);
        vm.warp(tge + 30 days + 180 days);
        _claimAs(alice.addr, 9_000_000 ether, 0);
        _claimNothing(alice.addr, 20_000_000 ether, 20_000_000 ether);
        assertEq(claims.totalClaimed(), 20_000_000 ether);
        (uint256 total, uint256 vested, uint256 claimed) = claims.claimable(alice.addr);
        assertEq(total + vested + claimed, 60_000_000 ether);
    }

    function test_TgeOnlyEarlierAndAnnouncedAhead() public {
        vm.startPrank(admin);
        assertEq(claims.tge(), 0);
        vm.expectRevert(IClaimModule.SaleNotEnded.selector);
        claims.setTge(uint64(START));
        vm.stopPrank();
        _finalizedSale();
        uint256 end = block.timestamp;
        vm.startPrank(admin);
        _expectTge(end + NOTICE, end + 90 days);
        claims.setTge(uint64(end + NOTICE - 1));
        _expectTge(end + NOTICE, end + 90 days);
        claims.setTge(uint64(end + 90 days + 1));
        vm.expectEmit(address(claims));
        emit IClaimModule.TgeSet(end + 10 days);
        claims.setTge(uint64(end + 10 days));
        _expectTge(end + NOTICE, end + 10 days);
        claims.setTge(uint64(end + 11 days));
        vm.warp(end + 7 days);
        claims.setTge(uint64(end + 10 days));
        vm.warp(end + 7 days + 1);
        _expectTge(end + 10 days + 1, end + 10 days);
        claims.setTge(uint64(end + 10 days));
        vm.stopPrank();
        vm.expectPartialRevert(IAccessControl.AccessControlUnauthorizedAccount.selector);
        claims.setTge(uint64(end + 10 days + 1));
        assertEq(claims.tge(), end + 10 days);
    }

    function test_PauseStopsClaimsFor72HoursAtMost() public {
        _finalizedSale();
        vm.warp(claims.unsoldFrom());
        vm.prank(admin);
        claims.pause();
        vm.expectRevert(
            abi.encodeWithSelector(ITimedPause.EnforcedPause.selector, block.timestamp + 72 hours)
        );
        vm.prank(alice.addr);
        claims.claim();
        claims.sweepUnsold();
        skip(72 hours);
        _claimAs(alice.addr, 20_000_000 ether, 0);
        vm.expectRevert(ITimedPause.PauseUsedUp.selector);
        vm.prank(admin);
        claims.pause();
    }

    function test_UnsoldStaysUntilTheBuyersAicIsFree() public {
        assertEq(claims.unsoldFrom(), 0);
        vm.expectRevert(IClaimModule.SaleNotEnded.selector);
        claims.sweepUnsold();
        _finalizedSale();
        uint256 from = claims.tge() + 30 days + 180 days;
        assertEq(claims.unsoldFrom(), from);
        vm.warp(claims.tge() + 30 days + 90 days);
        _claimAs(alice.addr, 11_000_000 ether, 9_000_000 ether);
        _expectBuyersFirst(from);
        claims.sweepUnsold();
        vm.warp(from - 1);
        _expectBuyersFirst(from);
        claims.sweepUnsold();
        vm.warp(from);
        uint256 freeBefore = made.devVault.releasable();
        vm.expectEmit(address(claims));
        emit IClaimModule.UnsoldSwept(address(made.devVault), 120_000_000 ether);
        claims.sweepUnsold();
        assertEq(made.devVault.releasable() - freeBefore, 120_000_000 ether);
        vm.expectRevert(IClaimModule.NothingToSweep.selector);
        claims.sweepUnsold();
        assertEq(aic.balanceOf(address(claims)), 19_000_000 ether);
        _claimAs(alice.addr, 9_000_000 ether, 0);
    }

    function test_ACancelledSaleOwesNoAicAndSchedulesStart() public {
        _soldSale();
        vm.prank(admin);
        presale.cancel();
        vm.warp(claims.tge());
        _claimNothing(alice.addr, 0, 0);
        assertEq(made.liquidityVault.releasable(), 50_000_000 ether);
        uint256 from = END + 90 days + 210 days;
        vm.warp(from - 1);
        _expectBuyersFirst(from);
        claims.sweepUnsold();
        vm.warp(from);
        claims.sweepUnsold();
        assertEq(aic.balanceOf(address(made.devVault)), 300_000_000 ether);
    }

    function test_RevertWhen_TheClaimScheduleIsBad() public {
        ClaimModule.Setup memory setup = ClaimModule.Setup({
            admin: admin,
            adminDelay: 0,
            token: address(aic),
            presale: address(presale),
            unsoldTo: address(made.devVault),
            tgeBps: 10_000,
            cliff: 3_600 days,
            duration: 50 days,
            notice: 30 days
        });
        new ClaimModule(setup);
        setup.duration += 1;
        _expectBadClaims(setup);
        setup.duration = 0;
        setup.tgeBps = 10_001;
        _expectBadClaims(setup);
        setup.tgeBps = 0;
        setup.notice += 1;
        _expectBadClaims(setup);
        setup.notice = 0;
        setup.unsoldTo = address(0);
        _expectBadClaims(setup);
        setup.unsoldTo = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        _expectBadClaims(setup);
    }

    function _claimAs(address buyer, uint256 amount, uint256 left) private {
        uint256 before = aic.balanceOf(buyer);
        vm.expectEmit(address(claims));
        emit IClaimModule.Claimed(buyer, amount, left);
        vm.prank(buyer);
        claims.claim();
        assertEq(aic.balanceOf(buyer) - before, amount);
    }

    function _claimNothing(address buyer, uint256 vested, uint256 total) private {
        vm.expectRevert(abi.encodeWithSelector(IClaimModule.NothingToClaim.selector, vested, total));
        vm.prank(buyer);
        claims.claim();
    }

    function _expectBuyersFirst(uint256 time) private {
        vm.expectRevert(abi.encodeWithSelector(IClaimModule.BuyersFirst.selector, time));
    }

    function _expectTge(uint256 earliest, uint256 latest) private {
        vm.expectRevert(abi.encodeWithSelector(IClaimModule.TgeTooEarlyOrLate.selector, earliest, latest));
    }

    function _expectBadClaims(ClaimModule.Setup memory setup) private {
        vm.expectRevert(IClaimModule.BadSchedule.selector);
        this.create(setup);
    }

    /// @dev An external call: a test ends at the first `new` that reverts.
    function create(ClaimModule.Setup memory setup) external {
        new ClaimModule(setup);
    }
}
