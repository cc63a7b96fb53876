// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Vm} from "forge-std/Test.sol";
import {Plan, PresaleContracts, PresaleDeployment} from "../../script/PresalePlan.sol";
import {AicToken} from "../../src/AicToken.sol";
import {ClaimModule} from "../../src/presale/ClaimModule.sol";
import {Presale} from "../../src/presale/Presale.sol";
import {PresaleVault} from "../../src/presale/PresaleVault.sol";
import {IOperatorVault} from "../../src/presale/interfaces/IOperatorVault.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {CircleUsdc} from "../circle/CircleUsdc.sol";

/// @dev The eight contracts with the defaults of the launch, over Circle's bytecode, before the first phase.
abstract contract PresaleFixture is CircleUsdc, PresaleDeployment {
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant WEEK = 7 days;
    uint256 internal constant ONE_USDC = 1e6;
    uint48 internal constant ADMIN_DELAY = 3 days;
    uint32 internal constant COOLING_OFF = 14 days;
    uint32 internal constant NOTICE = 72 hours;
    uint256 internal constant END = START + 3 * WEEK;

    Presale internal presale;
    PresaleVault internal vault;
    ClaimModule internal claims;
    AicToken internal aic;
    PresaleContracts internal made;

    address internal admin = makeAddr("admin");
    address internal operator = makeAddr("operator");
    address private _dev = makeAddr("dev");
    address private _team = makeAddr("team");
    address private _marketing = makeAddr("marketing");
    Vm.Wallet internal alice = vm.createWallet("alice");
    Vm.Wallet internal bob = vm.createWallet("bob");

    function setUp() public virtual {
        vm.warp(START - 1 days);
        vm.roll(100);
        _installUsdc("USD Coin");
        _deploy(_plan());
        usdc.mint(alice.addr, 10_000_000 * ONE_USDC);
        usdc.mint(bob.addr, 10_000_000 * ONE_USDC);
        vm.prank(alice.addr);
        usdc.approve(address(presale), type(uint256).max);
        vm.prank(bob.addr);
        usdc.approve(address(presale), type(uint256).max);
    }

    function _deploy(Plan memory plan) internal {
        made = _deployAll(plan, address(this));
        (presale, vault, claims, aic) = (made.presale, made.presaleVault, made.claimModule, made.token);
    }

    /// @dev Three weeks, 50,000,000 AIC each at 0.02, 0.03 and 0.04 USDC; here a wallet may buy a whole phase.
    function _plan() internal view virtual returns (Plan memory plan) {
        plan.admin = admin;
        (plan.adminDelay, plan.coolingOff, plan.notice) = (ADMIN_DELAY, COOLING_OFF, NOTICE);
        plan.usdc = address(usdc);
        plan.operators = [operator, _dev, _team, _marketing];
        plan.phases = new IPresale.Phase[](3);
        for (uint256 i = 0; i < 3; ++i) {
            plan.phases[i] = IPresale.Phase({
                start: uint64(START + i * WEEK),
                end: uint64(START + (i + 1) * WEEK),
                price: uint128(20_000 + i * 10_000),
                cap: 50_000_000 ether,
                walletCap: uint128(2_000_000 * ONE_USDC)
            });
        }
        plan.softCap = uint128(500_000 * ONE_USDC);
        plan.minPurchase = uint128(10 * ONE_USDC);
        plan.routeBps = [4_000, 3_000, 1_000, 2_000];
        plan.claimAmount = 150_000_000 ether;
        (plan.claimTgeBps, plan.claimCliff, plan.claimDuration) = (1_000, 30 days, 180 days);
        plan.schedules[0] = _one("Liquidity", 50_000_000 ether, 10_000, 0, 0);
        plan.schedules[1] = _one("Treasury", 150_000_000 ether, 1_000, 0, 1080 days);
        plan.schedules[2] = _one("Team", 200_000_000 ether, 0, 360 days, 1080 days);
        plan.schedules[3] = new IOperatorVault.Schedule[](2);
        plan.schedules[3][0] = IOperatorVault.Schedule("Community", 350_000_000 ether, 500, 0, 1440 days);
        plan.schedules[3][1] = IOperatorVault.Schedule("Incentives", 100_000_000 ether, 1_000, 0, 1080 days);
    }

    function _one(bytes32 name, uint128 amount, uint16 tgeBps, uint32 cliff, uint32 duration)
        private
        pure
        returns (IOperatorVault.Schedule[] memory all)
    {
        all = new IOperatorVault.Schedule[](1);
        all[0] = IOperatorVault.Schedule(name, amount, tgeBps, cliff, duration);
    }

    function _buyAs(address buyer, uint256 phaseId, uint256 wholeUsdc) internal {
        vm.prank(buyer);
        presale.buy(phaseId, wholeUsdc * ONE_USDC);
    }

    /// @dev A sale of 600,000 USDC by two buyers, whose last phase is just over.
    function _soldSale() internal {
        vm.warp(START);
        _buyAs(alice.addr, 1, 400_000);
        _buyAs(bob.addr, 1, 200_000);
        vm.warp(END);
    }

    function _finalizedSale() internal {
        _soldSale();
        vm.warp(END + COOLING_OFF);
        presale.finalize();
    }

    function _assertState(IPresale.State expected) internal view {
        assertEq(uint256(presale.state()), uint256(expected));
    }
}
