// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Plan} from "../../script/PresalePlan.sol";
import {Presale} from "../../src/presale/Presale.sol";
import {PresaleVault} from "../../src/presale/PresaleVault.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {IPresaleVault} from "../../src/presale/interfaces/IPresaleVault.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev A deployment that is wired wrongly does not come into being, and the admin is handed over in two steps.
contract PresaleSetupTest is PresaleFixture {
    function test_RevertWhen_PhasesAreBad() public {
        for (uint256 i = 0; i < 14; ++i) {
            IPresale.Phase[] memory phases = _plan().phases;
            Presale.Setup memory setup = _setup();
            if (i == 0) phases = new IPresale.Phase[](0);
            else if (i == 1) phases = _many(9);
            else if (i == 2) phases[1].start = phases[0].end - 1;
            else if (i == 3) phases[2].end = phases[2].start;
            else if (i == 4) phases[0].price = 0;
            else if (i == 5) phases[0].cap = 0;
            else if (i == 6) phases[0].walletCap = setup.minPurchase - 1;
            else if (i == 7) (phases[0].walletCap, setup.minPurchase) = (0, 0);
            else if (i == 8) setup.softCap = 0;
            else if (i == 9) setup.softCap = uint128(4_500_000 * ONE_USDC + 1);
            else if (i == 10) phases[0].start = phases[0].end + 1;
            else if (i == 11) phases[1].cap = 1;
            else if (i == 12) setup.minPurchase = 0;
            else setup.coolingOff = 30 days + 1;
            vm.expectRevert(IPresale.BadPhases.selector);
            this.create(setup, phases);
        }
    }

    /// @dev An external call: a test ends at the first `new` that reverts.
    function create(Presale.Setup memory setup, IPresale.Phase[] memory phases) external {
        new Presale(setup, phases);
    }

    function test_RevertWhen_TheSaleIsOverOrTakesTooLong() public {
        IPresale.Phase[] memory phases = _plan().phases;
        uint64 end = phases[2].end;
        phases[2].end = uint64(START + 180 days);
        // The next check refuses it: these phases are fine.
        Presale.Setup memory setup = _setup();
        setup.coolingOff = 30 days;
        vm.expectRevert(IPresale.WrongVault.selector);
        this.create(setup, phases);
        phases[2].end += 1;
        vm.expectRevert(IPresale.BadPhases.selector);
        this.create(_setup(), phases);
        phases[2].end = end;
        vm.warp(end - 1);
        vm.expectRevert(IPresale.WrongVault.selector);
        this.create(_setup(), phases);
        vm.warp(end);
        vm.expectRevert(IPresale.BadPhases.selector);
        this.create(_setup(), phases);
    }

    function test_EightPhasesAndTheWholeHardCapAsSoftCapAreFine() public {
        Plan memory plan = _plan();
        plan.phases = _many(8);
        plan.softCap = uint128(8 * 20_000 * ONE_USDC);
        _deploy(plan);
        assertEq(presale.phaseCount(), 8);
        assertEq(presale.softCap(), 160_000 * ONE_USDC);
    }

    function test_RevertWhen_TheVaultIsOfAnotherSaleOrToken() public {
        Presale.Setup memory setup = _setup();
        vm.expectRevert(IPresale.WrongVault.selector);
        this.create(setup, _plan().phases);
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        setup.vault = address(new PresaleVault(address(aic), next, vault.routes()));
        vm.expectRevert(IPresale.WrongVault.selector);
        this.create(setup, _plan().phases);
    }

    function test_RevertWhen_TheClaimModuleIsOfAnotherSale() public {
        Presale.Setup memory setup = _setup();
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        setup.vault = address(new PresaleVault(address(usdc), next, vault.routes()));
        vm.expectRevert(IPresale.WrongClaimModule.selector);
        this.create(setup, _plan().phases);
    }

    function test_RevertWhen_ClaimsAreNotCovered() public {
        Plan memory plan = _plan();
        plan.claimAmount -= 1;
        plan.schedules[0][0].amount += 1;
        vm.expectRevert(
            abi.encodeWithSelector(
                IPresale.ClaimModuleUnderfunded.selector, 150_000_000 ether - 1, 150_000_000 ether
            )
        );
        this.deployAll(plan);
    }

    function deployAll(Plan memory plan) external {
        _deployAll(plan, address(this));
    }

    function createVault(IPresaleVault.Route[] memory routes) external {
        new PresaleVault(address(usdc), address(presale), routes);
    }

    function test_RevertWhen_RoutesAreBad() public {
        for (uint256 i = 0; i < 6; ++i) {
            IPresaleVault.Route[] memory routes = vault.routes();
            if (i == 0) routes = new IPresaleVault.Route[](0);
            else if (i == 1) routes[0].vault = alice.addr;
            else if (i == 2) (routes[0].bps, routes[1].bps) = (0, 7_000);
            else if (i == 3) routes[1].vault = routes[0].vault;
            else if (i == 4) routes[3].bps -= 1;
            else routes[3].bps += 1;
            vm.expectRevert(IPresaleVault.BadRoutes.selector);
            this.createVault(routes);
        }
    }

    function test_AdminIsHandedOverInTwoStepsWithADelay() public {
        address safe = makeAddr("safe");
        vm.prank(admin);
        presale.beginDefaultAdminTransfer(safe);
        vm.startPrank(safe);
        skip(ADMIN_DELAY);
        vm.expectRevert();
        presale.acceptDefaultAdminTransfer();
        skip(1);
        presale.acceptDefaultAdminTransfer();
        presale.pause();
        vm.stopPrank();
        assertEq(presale.defaultAdmin(), safe);
        vm.expectRevert();
        vm.prank(admin);
        presale.cancel();
    }

    function _setup() private view returns (Presale.Setup memory) {
        return Presale.Setup({
            admin: admin,
            adminDelay: 0,
            usdc: address(usdc),
            vault: address(vault),
            claimModule: address(claims),
            softCap: uint128(500_000 * ONE_USDC),
            minPurchase: uint128(10 * ONE_USDC),
            coolingOff: COOLING_OFF
        });
    }

    function _many(uint256 count) private pure returns (IPresale.Phase[] memory phases) {
        phases = new IPresale.Phase[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint64 start = uint64(START + i * 1 days);
            phases[i] =
                IPresale.Phase(start, start + 1 days, 20_000, 1_000_000 ether, uint128(ONE_USDC * 100));
        }
    }
}
