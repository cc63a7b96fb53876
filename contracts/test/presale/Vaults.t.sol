// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OperatorVault} from "../../src/presale/OperatorVault.sol";
import {IOperatorVault} from "../../src/presale/interfaces/IOperatorVault.sol";
import {IPresaleVault} from "../../src/presale/interfaces/IPresaleVault.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev What happens after the sale: USDC is routed, and AIC is spent as it becomes free.
contract VaultsTest is PresaleFixture {
    // --- routing --------------------------------------------------------------------------------------------

    function test_RoutesToTheUnitAndTheLastTakesTheRemainder() public {
        vm.warp(START);
        vm.prank(alice.addr);
        presale.buy(1, 600_000 * ONE_USDC + 7);
        assertEq(vault.dueTo(0), 0);
        vm.warp(END + COOLING_OFF);
        _expectNothing();
        vault.route(0);
        presale.finalize();
        uint256[4] memory due = [uint256(240_000_000_002), 180_000_000_002, 60_000_000_000, 120_000_000_003];
        for (uint256 i = 0; i < 4; ++i) {
            assertEq(vault.dueTo(i), due[i]);
            vm.expectEmit(address(vault));
            emit IPresaleVault.Routed(_vaults(made)[i], due[i], vault.routes()[i].bps);
            vault.route(i);
            assertEq(usdc.balanceOf(_vaults(made)[i]), due[i]);
            assertEq(vault.routed(i), due[i]);
            _expectNothing();
            vault.route(i);
        }
        assertEq(vault.totalRouted(), 600_000 * ONE_USDC + 7);
        assertEq(usdc.balanceOf(address(vault)), 0);
    }

    function test_NothingIsRoutedAfterACancelledSale() public {
        _soldSale();
        vm.prank(admin);
        presale.cancel();
        for (uint256 i = 0; i < 4; ++i) {
            _expectNothing();
            vault.route(i);
        }
    }

    function test_AVaultOnCirclesBlocklistHoldsUpNoOther() public {
        _finalizedSale();
        usdc.blacklist(address(made.devVault));
        vm.expectRevert("Blacklistable: account is blacklisted");
        vault.route(1);
        vault.route(0);
        vault.route(2);
        vault.route(3);
        usdc.unBlacklist(address(made.devVault));
        vault.route(1);
        assertEq(usdc.balanceOf(address(vault)), 0);
    }

    function test_RevertWhen_AnotherThanThePresalePays() public {
        _soldSale();
        vm.expectRevert(IPresaleVault.OnlyPresale.selector);
        vm.prank(admin);
        vault.pay(admin, 1);
    }

    /// @dev Donations after routing, also of single units, neither block a vault nor pay one twice.
    function testFuzz_DonationsAreSharedInAnyOrder(uint8[24] memory steps, uint32[24] memory amounts) public {
        _finalizedSale();
        uint256 donated = 0;
        for (uint256 i = 0; i < 24; ++i) {
            uint256 amount = 1 + uint256(steps[i] % 2 == 0 ? amounts[i] % 4 : amounts[i]);
            usdc.mint(address(vault), amount);
            donated += amount;
            uint256 index = steps[i] % 4;
            if (vault.dueTo(index) > 0) vault.route(index);
        }
        for (uint256 i = 0; i < 4; ++i) {
            if (vault.dueTo(i) > 0) vault.route(i);
        }
        uint256 total = 600_000 * ONE_USDC + donated;
        assertEq(vault.totalRouted() + usdc.balanceOf(address(vault)), total);
        assertLe(usdc.balanceOf(address(vault)), 3);
        for (uint256 i = 0; i < 4; ++i) {
            assertApproxEqAbs(vault.routed(i), (total * vault.routes()[i].bps) / 10_000, 4);
        }
    }

    // --- operators ------------------------------------------------------------------------------------------

    function test_OperatorSpendsToPayeesOnly() public {
        _finalizedSale();
        vault.route(0);
        address payee = makeAddr("payee");
        _expectNotAPayee(payee);
        _spendUsdc(payee, 1);
        vm.expectEmit(address(made.liquidityVault));
        emit IOperatorVault.PayeeSet(payee, true);
        _setPayee(payee, true);
        skip(NOTICE);
        vm.expectEmit(address(made.liquidityVault));
        emit IOperatorVault.Spent(address(usdc), payee, 240_000 * ONE_USDC, "pool");
        _spendUsdc(payee, 240_000 * ONE_USDC);
        assertEq(usdc.balanceOf(payee), 240_000 * ONE_USDC);
        _setPayee(payee, false);
        _expectNotAPayee(payee);
        vm.prank(operator);
        made.liquidityVault.spend(aic, payee, 0, "");
    }

    /// @dev A payee that is set again keeps its time; one that was removed waits anew.
    function test_ANewPayeeCountsAfterTheNotice_ARemovedOneNoLonger() public {
        _finalizedSale();
        vault.route(0);
        uint256 from = block.timestamp + NOTICE;
        _setPayee(bob.addr, true);
        assertEq(made.liquidityVault.payeeFrom(bob.addr), from);
        vm.warp(from - 1);
        _setPayee(bob.addr, true);
        assertEq(made.liquidityVault.payeeFrom(bob.addr), from);
        assertFalse(made.liquidityVault.isPayee(bob.addr));
        _expectNotAPayee(bob.addr);
        _spendUsdc(bob.addr, 1);
        vm.warp(from);
        assertTrue(made.liquidityVault.isPayee(bob.addr));
        _spendUsdc(bob.addr, 1);
        _setPayee(bob.addr, false);
        assertEq(made.liquidityVault.payeeFrom(bob.addr), 0);
        _setPayee(bob.addr, true);
        _expectNotAPayee(bob.addr);
        _spendUsdc(bob.addr, 1);
        skip(NOTICE);
        _spendUsdc(bob.addr, 1);
    }

    function test_ANewOperatorCountsAfterTheNotice_ARevokedOneNoLonger() public {
        bytes32 role = made.liquidityVault.operatorRole();
        address second = makeAddr("second");
        assertEq(made.liquidityVault.operatorFrom(operator), START - 1 days + NOTICE);
        assertEq(made.liquidityVault.operatorFrom(admin), 0);
        _setPayee(bob.addr, true);
        vm.warp(START - 1 days + NOTICE - 1);
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.NotYet.selector, block.timestamp + 1));
        vm.prank(operator);
        made.liquidityVault.spend(aic, bob.addr, 0, "");
        skip(1);
        vm.prank(operator);
        made.liquidityVault.spend(aic, bob.addr, 0, "");
        vm.startPrank(admin);
        // A second grant of the same role, or one of another role, changes no time.
        made.liquidityVault.grantRole(role, operator);
        made.liquidityVault.grantRole("another role", operator);
        made.liquidityVault.grantRole(role, second);
        vm.stopPrank();
        assertEq(made.liquidityVault.operatorFrom(operator), START - 1 days + NOTICE);
        uint256 from = block.timestamp + NOTICE;
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.NotYet.selector, from));
        vm.prank(second);
        made.liquidityVault.spend(aic, bob.addr, 0, "");
        vm.warp(from);
        vm.prank(second);
        made.liquidityVault.spend(aic, bob.addr, 0, "");
        vm.startPrank(admin);
        made.liquidityVault.revokeRole(role, second);
        assertEq(made.liquidityVault.operatorFrom(second), 0);
        made.liquidityVault.grantRole(role, second);
        vm.stopPrank();
        assertEq(made.liquidityVault.operatorFrom(second), from + NOTICE);
    }

    function test_RevertWhen_AnotherThanTheOperatorSpends_AndARevokedKeyIsUseless() public {
        _setPayee(bob.addr, true);
        skip(NOTICE);
        vm.expectPartialRevert(IAccessControl.AccessControlUnauthorizedAccount.selector);
        vm.prank(admin);
        made.liquidityVault.spend(aic, bob.addr, 0, "");
        vm.expectPartialRevert(IAccessControl.AccessControlUnauthorizedAccount.selector);
        vm.prank(operator);
        made.liquidityVault.setPayee(operator, true);
        bytes32 role = made.liquidityVault.operatorRole();
        vm.prank(admin);
        made.liquidityVault.revokeRole(role, operator);
        vm.expectPartialRevert(IAccessControl.AccessControlUnauthorizedAccount.selector);
        vm.prank(operator);
        made.liquidityVault.spend(aic, bob.addr, 0, "");
    }

    function test_AicIsSpentOnlyAsItBecomesFree() public {
        vm.prank(admin);
        made.teamVault.setPayee(bob.addr, true);
        assertEq(made.teamVault.lockedAt(type(uint64).max), 200_000_000 ether);
        _finalizedSale();
        uint256 tge = claims.tge();
        vm.warp(tge + 360 days);
        _expectLocked(0, 1);
        _spendTeam(1);
        vm.warp(tge + 360 days + 540 days);
        assertEq(made.teamVault.lockedAt(block.timestamp), 100_000_000 ether);
        _expectLocked(100_000_000 ether, 100_000_000 ether + 1);
        _spendTeam(100_000_000 ether + 1);
        _spendTeam(100_000_000 ether);
        _expectLocked(0, 1);
        _spendTeam(1);
        vm.warp(tge + 360 days + 1080 days);
        _spendTeam(100_000_000 ether);
        assertEq(aic.balanceOf(bob.addr), 200_000_000 ether);
    }

    function test_SchedulesOfTheSpecification() public {
        assertEq(aic.balanceOf(address(claims)), 150_000_000 ether);
        uint256[4] memory held =
            [uint256(50_000_000 ether), 150_000_000 ether, 200_000_000 ether, 450_000_000 ether];
        bytes32[4] memory roles = [
            keccak256("LIQUIDITY_OPERATOR_ROLE"),
            keccak256("DEV_OPERATOR_ROLE"),
            keccak256("TEAM_OPERATOR_ROLE"),
            keccak256("MARKETING_OPERATOR_ROLE")
        ];
        for (uint256 i = 0; i < 4; ++i) {
            OperatorVault some = OperatorVault(_vaults(made)[i]);
            assertEq(aic.balanceOf(address(some)), held[i]);
            assertEq(some.lockedAt(block.timestamp), held[i]);
            assertEq(some.operatorRole(), roles[i]);
            assertTrue(some.hasRole(roles[i], _plan().operators[i]));
            assertEq(some.defaultAdmin(), admin);
            assertEq(some.deployedAtBlock(), 100);
            assertEq(some.aic(), address(aic));
            assertEq(some.claimModule(), address(claims));
        }
        assertEq(made.marketingVault.schedules()[1].name, "Incentives");
        _finalizedSale();
        vm.warp(claims.tge());
        // 5 % of 350,000,000 and 10 % of 100,000,000.
        assertEq(made.marketingVault.releasable(), 27_500_000 ether);
        assertEq(made.devVault.releasable(), 15_000_000 ether);
    }

    /// @dev An external call: a test ends at the first `new` that reverts.
    function create(OperatorVault.Setup memory setup, IOperatorVault.Schedule[] memory all) external {
        new SomeVault(setup, all);
    }

    function test_RevertWhen_AVaultsScheduleIsBad() public {
        OperatorVault.Setup memory setup =
            OperatorVault.Setup(admin, 0, operator, address(aic), address(claims), 30 days);
        IOperatorVault.Schedule[] memory all = new IOperatorVault.Schedule[](1);
        all[0] = IOperatorVault.Schedule("x", 1, 10_001, 0, 0);
        vm.expectRevert(IOperatorVault.BadSchedule.selector);
        this.create(setup, all);
        all[0] = IOperatorVault.Schedule("x", 1, 0, 3_650 days, 1);
        vm.expectRevert(IOperatorVault.BadSchedule.selector);
        this.create(setup, all);
        all[0].duration = 0;
        this.create(setup, all);
        setup.notice += 1;
        vm.expectRevert(IOperatorVault.BadSchedule.selector);
        this.create(setup, all);
    }

    // --- helpers --------------------------------------------------------------------------------------------

    function _setPayee(address payee, bool allowed) private {
        vm.prank(admin);
        made.liquidityVault.setPayee(payee, allowed);
    }

    function _spendUsdc(address to, uint256 amount) private {
        vm.prank(operator);
        made.liquidityVault.spend(IERC20(address(usdc)), to, amount, "pool");
    }

    function _expectNotAPayee(address to) private {
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.NotAPayee.selector, to));
    }

    function _spendTeam(uint256 amount) private {
        vm.prank(makeAddr("team"));
        made.teamVault.spend(aic, bob.addr, amount, "salary");
    }

    function _expectLocked(uint256 releasable, uint256 amount) private {
        vm.expectRevert(abi.encodeWithSelector(IOperatorVault.StillLocked.selector, releasable, amount));
    }

    function _expectNothing() private {
        vm.expectRevert(IPresaleVault.NothingToRoute.selector);
    }
}

contract SomeVault is OperatorVault {
    constructor(Setup memory setup, IOperatorVault.Schedule[] memory all) OperatorVault("role", setup, all) {}
}
