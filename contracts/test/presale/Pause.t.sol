// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ITimedPause} from "../../src/presale/interfaces/ITimedPause.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev A pause of 72 hours in all, by the admin alone.
contract PauseTest is PresaleFixture {
    function test_PauseEndsByItselfAfter72HoursInAll() public {
        vm.warp(START);
        vm.startPrank(admin);
        vm.expectEmit(address(presale));
        emit ITimedPause.Paused(admin, START + 72 hours);
        presale.pause();
        vm.expectRevert(abi.encodeWithSelector(ITimedPause.EnforcedPause.selector, START + 72 hours));
        presale.pause();
        skip(24 hours);
        vm.expectEmit(address(presale));
        emit ITimedPause.Unpaused(admin, 48 hours);
        presale.unpause();
        assertEq(presale.pausedSeconds(), 24 hours);
        assertEq(presale.pausedUntil(), START + 24 hours);
        vm.expectRevert(ITimedPause.ExpectedPause.selector);
        presale.unpause();
        skip(10 hours);
        presale.pause();
        assertEq(presale.pausedUntil(), START + 82 hours);
        skip(48 hours);
        assertEq(presale.pausedSeconds(), 72 hours);
        vm.expectRevert(ITimedPause.PauseUsedUp.selector);
        presale.pause();
        vm.stopPrank();
        _buyAs(alice.addr, 1, 10);
    }

    function test_RevertWhen_AnotherThanTheAdminPauses() public {
        vm.startPrank(operator);
        _expectNoRole();
        presale.pause();
        _expectNoRole();
        presale.unpause();
    }

    function _expectNoRole() private {
        vm.expectPartialRevert(IAccessControl.AccessControlUnauthorizedAccount.selector);
    }
}
