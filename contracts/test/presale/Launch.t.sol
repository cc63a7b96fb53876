// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Launch} from "../../script/Launch.s.sol";
import {Plan, PresaleContracts} from "../../script/PresalePlan.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

interface ISafeSetup {
    function setup(
        address[] calldata owners,
        uint256 threshold,
        address to,
        bytes calldata data,
        address fallbackHandler,
        address paymentToken,
        uint256 payment,
        address paymentReceiver
    ) external;
}

contract LaunchTest is PresaleFixture {
    /// @dev What the Safe developers compiled.
    string private constant SAFE =
        "../node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json";

    Launch private _script;
    address private _safe;
    address private _deployer = makeAddr("deployer");

    function setUp() public override {
        super.setUp();
        _script = new Launch();
        _safe = _newSafe("safe", 2);
        vm.chainId(8453);
    }

    function test_TheExampleFileIsTheDefaultsOfTheLaunch() public {
        Plan memory plan = _script.read(vm.readFile("./launch/example.json"));
        assertEq(plan.phases.length, 3);
        assertEq(plan.phases[1].price, 30_000);
        assertEq(plan.phases[2].cap, 50_000_000 ether);
        assertEq(plan.phases[0].walletCap, 50_000 * ONE_USDC);
        assertEq(plan.routeBps[0], 4_000);
        assertEq(plan.schedules[3][1].name, "Incentives");
        plan.usdc = address(usdc);
        PresaleContracts memory all = _script.deploy(plan);
        assertEq(all.presale.phase(1).cap, 50_000_000 ether);
        assertEq(all.token.balanceOf(address(all.claimModule)), 150_000_000 ether);
        assertEq(all.token.balanceOf(address(all.marketingVault)), 450_000_000 ether);
    }

    function test_ASoundPlanIsDeployed() public {
        Plan memory plan = _safePlan();
        _script.check(plan, _deployer);
        PresaleContracts memory all = _script.deploy(plan);
        assertEq(all.presale.defaultAdmin(), _safe);
        assertEq(uint256(all.presale.state()), uint256(IPresale.State.Waiting));
    }

    function test_RevertWhen_TheAdminIsNoMultisig() public {
        Plan memory plan = _safePlan();
        address[4] memory wrong = [alice.addr, address(usdc), address(this), address(claims)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            plan.admin = wrong[i];
            vm.expectRevert(abi.encodeWithSelector(Launch.AdminIsNoMultisig.selector, wrong[i]));
            _script.check(plan, _deployer);
        }
        // One signature is not enough.
        plan.admin = _newSafe("safe of one", 1);
        vm.expectRevert(abi.encodeWithSelector(Launch.AdminIsNoMultisig.selector, plan.admin));
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_OperatorsAreNotSeparate() public {
        address[4] memory wrong = [_safe, _deployer, _safePlan().operators[0], address(0)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            Plan memory plan = _safePlan();
            plan.operators[2] = wrong[i];
            vm.expectRevert(abi.encodeWithSelector(Launch.OperatorNotSeparate.selector, "team", wrong[i]));
            _script.check(plan, _deployer);
        }
    }

    function test_RevertWhen_TheStartIsPastOrUsdcIsMissing() public {
        Plan memory plan = _safePlan();
        vm.warp(START + 1);
        vm.expectRevert(abi.encodeWithSelector(Launch.StartsInThePast.selector, START));
        _script.check(plan, _deployer);
        plan.usdc = alice.addr;
        vm.expectRevert(abi.encodeWithSelector(Launch.UsdcHasNoCode.selector, alice.addr));
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_AmountsAreNotThoseOfTheSpecification() public {
        Plan memory plan = _safePlan();
        plan.claimAmount -= 1;
        vm.expectRevert(abi.encodeWithSelector(Launch.AllocationDiffers.selector, "claims"));
        _script.check(plan, _deployer);
        string[4] memory names = ["liquidity", "dev", "team", "marketing"];
        for (uint256 i = 0; i < 4; ++i) {
            plan = _safePlan();
            plan.schedules[i][plan.schedules[i].length - 1].amount += 1;
            vm.expectRevert(abi.encodeWithSelector(Launch.AllocationDiffers.selector, names[i]));
            _script.check(plan, _deployer);
        }
        // The same sum, divided in another way.
        plan = _safePlan();
        plan.schedules[3][0].amount -= 1 ether;
        plan.schedules[3][1].amount += 1 ether;
        vm.chainId(31337);
        vm.expectRevert(abi.encodeWithSelector(Launch.AllocationDiffers.selector, "marketing"));
        _script.check(plan, _deployer);
    }

    function test_TestChainsMayHaveAPlainAdmin() public {
        Plan memory plan = _plan();
        plan.operators[2] = plan.admin;
        vm.warp(START + 1);
        uint256[3] memory chains = [uint256(31337), 11155111, 84532];
        for (uint256 i = 0; i < chains.length; ++i) {
            vm.chainId(chains[i]);
            _script.check(plan, _deployer);
        }
    }

    /// @dev A Safe of three owners.
    function _newSafe(string memory name, uint256 threshold) private returns (address safe) {
        safe = makeAddr(name);
        vm.etch(safe, vm.parseJsonBytes(vm.readFile(SAFE), ".deployedBytecode"));
        address[] memory owners = new address[](3);
        (owners[0], owners[1], owners[2]) = (alice.addr, bob.addr, makeAddr("carol"));
        ISafeSetup(safe).setup(owners, threshold, address(0), "", address(0), address(0), 0, address(0));
    }

    function _safePlan() private view returns (Plan memory plan) {
        plan = _plan();
        plan.admin = _safe;
    }
}
