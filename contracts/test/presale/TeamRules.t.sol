// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OperatorVault} from "../../src/presale/OperatorVault.sol";
import {IClaimModule} from "../../src/presale/interfaces/IClaimModule.sol";
import {IOperatorVault} from "../../src/presale/interfaces/IOperatorVault.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev Rules 3 to 5 bind the team: unsold AIC, the pause of claims, notice. Each attack fails, and the honest flow passes.
contract TeamRulesTest is PresaleFixture {
    uint256 private _tge;

    function setUp() public override {
        super.setUp();
        vm.prank(admin);
        made.liquidityVault.setPayee(bob.addr, true);
        _finalizedSale();
        _tge = claims.tge();
    }

    // --- the pause of claims --------------------------------------------------------------------------------

    function test_RevertWhen_AVaultSpendsAicWhileClaimsArePaused() public {
        vm.warp(_tge + 72 hours);
        assertEq(made.liquidityVault.releasable(), 50_000_000 ether);
        vm.prank(admin);
        claims.pause();
        for (uint256 i = 0; i < 4; ++i) {
            assertEq(OperatorVault(_vaults(made)[i]).releasable(), 0);
        }
        _expectLocked(1);
        _spendAic(1);
        skip(72 hours - 1);
        _expectLocked(1);
        _spendAic(1);
        skip(1);
        _spendAic(50_000_000 ether);
        assertEq(aic.balanceOf(bob.addr), 50_000_000 ether);
    }

    /// @dev USDC is not part of the rule: a pause of claims does not stop what the team owes in USDC.
    function test_UsdcIsSpentWhileClaimsArePaused() public {
        vault.route(0);
        vm.warp(_tge + 72 hours);
        vm.prank(admin);
        claims.pause();
        vm.prank(operator);
        made.liquidityVault.spend(IERC20(address(usdc)), bob.addr, 1, "");
    }

    /// @dev Between two pauses claims are open, too: who pauses again has not spent while buyers could not claim.
    function test_RevertWhen_AVaultSpendsInASecondPause() public {
        vm.warp(_tge + 72 hours);
        vm.startPrank(admin);
        claims.pause();
        skip(24 hours);
        claims.unpause();
        vm.stopPrank();
        _spendAic(1 ether);
        vm.prank(alice.addr);
        claims.claim();
        vm.prank(admin);
        claims.pause();
        _expectLocked(1);
        _spendAic(1);
    }

    /// @dev "Spend, then pause" in the first block of the TGE would leave buyers with 72 hours in which only the team sells.
    function test_RevertWhen_TheTeamSpendsAndThenPausesAtTheTge() public {
        uint256[3] memory times = [_tge, _tge + 1, _tge + 72 hours - 1];
        for (uint256 i = 0; i < times.length; ++i) {
            vm.warp(times[i]);
            _spendAic(1 ether);
            vm.expectRevert(abi.encodeWithSelector(IClaimModule.ClaimsJustBegan.selector, _tge + 72 hours));
            vm.prank(admin);
            claims.pause();
        }
        vm.prank(alice.addr);
        claims.claim();
        assertEq(aic.balanceOf(alice.addr), 2_000_000 ether);
    }

    /// @dev A pause that began before the TGE holds up both sides.
    function test_APauseOverTheTgeStopsTheTeamToo() public {
        vm.warp(_tge - 1);
        vm.prank(admin);
        claims.pause();
        vm.warp(_tge + 72 hours - 2);
        _expectLocked(1);
        _spendAic(1);
        skip(1);
        _spendAic(1);
        vm.prank(alice.addr);
        claims.claim();
    }

    function test_ClaimsCanBePausedBeforeTheSaleIsFinal() public {
        vm.warp(START);
        _deploy(_plan());
        vm.prank(admin);
        claims.pause();
        assertEq(claims.pausedUntil(), block.timestamp + 72 hours);
    }

    // --- unsold AIC -----------------------------------------------------------------------------------------

    function test_RevertWhen_UnsoldAicIsTakenBeforeTheBuyersHaveTheirs() public {
        uint256 from = _tge + 30 days + 180 days;
        uint256[4] memory times = [END + COOLING_OFF, _tge, _tge + 30 days, from - 1];
        for (uint256 i = 0; i < times.length; ++i) {
            vm.warp(times[i]);
            vm.expectRevert(abi.encodeWithSelector(IClaimModule.BuyersFirst.selector, from));
            claims.sweepUnsold();
        }
        vm.warp(from);
        vm.prank(alice.addr);
        claims.claim();
        assertEq(aic.balanceOf(alice.addr), 20_000_000 ether);
        claims.sweepUnsold();
        assertEq(aic.balanceOf(address(claims)), 10_000_000 ether);
    }

    /// @dev An earlier TGE brings both forward, the buyers' AIC and the unsold.
    function test_AnEarlierTgeIsEarlierForBoth() public {
        uint64 earlier = uint64(block.timestamp + NOTICE);
        vm.prank(admin);
        claims.setTge(earlier);
        assertEq(claims.unsoldFrom(), uint256(earlier) + 210 days);
        vm.warp(earlier);
        vm.prank(alice.addr);
        claims.claim();
        _spendAic(1 ether);
    }

    // --- notice ---------------------------------------------------------------------------------------------

    function test_RevertWhen_OnlyTheTeamKnowsTheTge() public {
        vm.startPrank(admin);
        for (uint256 ahead = 0; ahead < NOTICE; ahead += NOTICE - 1) {
            vm.expectPartialRevert(IClaimModule.TgeTooEarlyOrLate.selector);
            claims.setTge(uint64(block.timestamp + ahead));
        }
        claims.setTge(uint64(block.timestamp + NOTICE));
        // Once it was announced it does not come sooner.
        skip(1);
        vm.expectPartialRevert(IClaimModule.TgeTooEarlyOrLate.selector);
        claims.setTge(uint64(block.timestamp + NOTICE - 2));
    }

    /// @dev The admin makes itself operator and allows its own address: both have to wait, in the open.
    function test_RevertWhen_TheAdminPaysItselfAtOnce() public {
        vault.route(0);
        OperatorVault some = made.liquidityVault;
        bytes32 role = some.operatorRole();
        vm.startPrank(admin);
        some.setPayee(admin, true);
        some.grantRole(role, admin);
        uint256 from = block.timestamp + NOTICE;
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOperatorVault.NotYet.selector, from));
            some.spend(IERC20(address(usdc)), admin, 1, "");
            vm.warp(from - 1);
        }
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.NotAPayee.selector, admin));
        vm.prank(operator);
        some.spend(IERC20(address(usdc)), admin, 1, "");
        vm.warp(from);
        vm.prank(operator);
        some.spend(IERC20(address(usdc)), admin, 1, "");
    }

    /// @dev Giving up the role or handing the admin over shortens no notice.
    function test_RevertWhen_ARoleIsRenouncedAndGrantedAgainWithoutNotice() public {
        OperatorVault some = made.liquidityVault;
        bytes32 role = some.operatorRole();
        vm.prank(operator);
        some.renounceRole(role, operator);
        assertEq(some.operatorFrom(operator), 0);
        vm.prank(admin);
        some.grantRole(role, operator);
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.NotYet.selector, block.timestamp + NOTICE));
        _spendAic(0);
    }

    // --- helpers --------------------------------------------------------------------------------------------

    function _spendAic(uint256 amount) private {
        vm.prank(operator);
        made.liquidityVault.spend(aic, bob.addr, amount, "");
    }

    function _expectLocked(uint256 amount) private {
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.StillLocked.selector, 0, amount));
    }
}
