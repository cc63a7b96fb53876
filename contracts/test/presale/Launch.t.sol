// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {KnownFacts} from "../../script/KnownFacts.sol";
import {Launch} from "../../script/Launch.s.sol";
import {Plan, PresaleContracts} from "../../script/PresalePlan.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

interface ISafeSetup {
    function enableModule(address module) external;
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
    string private constant SAFES =
        "../node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/";
    address private constant BASE_USDC = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;

    Launch private _script;
    address private _safe;
    address private _deployer = makeAddr("deployer");

    function setUp() public override {
        super.setUp();
        _script = new Launch();
        _safe = _newSafe("safe", 2, 3);
        vm.chainId(8453);
        vm.etch(BASE_USDC, address(usdc).code);
        vm.store(BASE_USDC, _decimalsSlot(), vm.load(address(usdc), _decimalsSlot()));
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
        assertEq(all.presale.coolingOff(), 14 days);
        assertEq(all.claimModule.notice(), 72 hours);
        assertEq(all.teamVault.notice(), 72 hours);
    }

    /// @dev The safes of all known versions are proxies of known code over known code.
    function test_ASafeForSecondLayersIsFine() public {
        Plan memory plan = _safePlan();
        vm.etch(address(0x5AFE), _code("SafeL2.sol/SafeL2.json"));
        _script.check(plan, _deployer);
    }

    // --- bad launches ---------------------------------------------------------------------------------------

    function test_RevertWhen_TheAdminIsAPlainKeyOrAnotherContract() public {
        Plan memory plan = _safePlan();
        address[4] memory wrong = [alice.addr, address(usdc), address(this), address(0x5AFE)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            plan.admin = wrong[i];
            _expectNoSafe(wrong[i], "not the proxy of a Safe");
            _script.check(plan, _deployer);
        }
    }

    /// @dev It answers as a Safe of two signatures and three owners, and one of its bytes is another.
    function test_RevertWhen_TheAdminOnlyAnswersLikeASafe() public {
        Plan memory plan = _safePlan();
        bytes memory code = address(0x5AFE).code;
        code[code.length - 1] = code[code.length - 1] ^ 0x01;
        vm.etch(address(0x5AFE), code);
        _expectNoSafe(_safe, "not the code of a Safe");
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_TheSafeNeedsOneSignature() public {
        Plan memory plan = _safePlan();
        plan.admin = _newSafe("safe of one signature", 1, 3);
        _expectNoSafe(plan.admin, "too few signatures");
        _script.check(plan, _deployer);
    }

    /// @dev A Safe's own calls do not come there; its storage could.
    function test_RevertWhen_TheSafeHasFewerOwnersThanSignatures() public {
        Plan memory plan = _safePlan();
        // Slot 4 of a Safe is its threshold.
        vm.store(_safe, bytes32(uint256(4)), bytes32(uint256(4)));
        _expectNoSafe(_safe, "fewer owners than signatures");
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_TheSafeHasAModule() public {
        Plan memory plan = _safePlan();
        vm.prank(_safe);
        ISafeSetup(_safe).enableModule(address(this));
        _expectNoSafe(_safe, "a module acts without signatures");
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_TheChainIsUnknown() public {
        vm.chainId(56);
        vm.expectRevert(abi.encodeWithSelector(KnownFacts.UnknownChain.selector, 56));
        _script.check(_safePlan(), _deployer);
    }

    /// @dev A token of another, with the name and the calls of USDC.
    function test_RevertWhen_TheDollarIsAnotherToken() public {
        Plan memory plan = _safePlan();
        plan.usdc = address(usdc);
        vm.expectRevert(abi.encodeWithSelector(KnownFacts.WrongUsdc.selector, address(usdc), BASE_USDC));
        _script.check(plan, _deployer);
        vm.chainId(31337);
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_TheDollarHasNoCodeOrNotSixDecimals() public {
        Plan memory plan = _safePlan();
        vm.store(BASE_USDC, _decimalsSlot(), bytes32(uint256(18)));
        vm.expectRevert(abi.encodeWithSelector(KnownFacts.WrongDecimals.selector, BASE_USDC));
        _script.check(plan, _deployer);
        vm.etch(BASE_USDC, hex"00");
        vm.expectRevert(abi.encodeWithSelector(KnownFacts.WrongDecimals.selector, BASE_USDC));
        _script.check(plan, _deployer);
        vm.etch(BASE_USDC, "");
        vm.expectRevert(abi.encodeWithSelector(KnownFacts.UsdcHasNoCode.selector, BASE_USDC));
        _script.check(plan, _deployer);
    }

    function test_RevertWhen_ATimeIsTooShort() public {
        Plan memory plan = _safePlan();
        plan.coolingOff -= 1;
        _expectTooLittle("coolingOff", 14 days);
        _script.check(plan, _deployer);
        plan = _safePlan();
        plan.notice -= 1;
        _expectTooLittle("notice", 72 hours);
        _script.check(plan, _deployer);
        plan = _safePlan();
        plan.adminDelay = 72 hours - 1;
        _expectTooLittle("adminDelay", 72 hours);
        _script.check(plan, _deployer);
    }

    /// @dev The hard cap is 4,500,000 USDC.
    function test_RevertWhen_TheSoftCapIsBelowATenthOfTheHardCap() public {
        Plan memory plan = _safePlan();
        plan.softCap = uint128(450_000 * ONE_USDC);
        _script.check(plan, _deployer);
        plan.softCap -= 1;
        _expectTooLittle("softCap", 450_000 * ONE_USDC);
        _script.check(plan, _deployer);
    }

    /// @dev Cut off to its place, each of these would be 0 and look sound: all time, or none.
    function test_RevertWhen_ANumberIsTooLarge() public {
        string[9] memory numbers = [
            '"adminDelay": 259200,',
            '"coolingOff": 1209600,',
            '"notice": 259200,',
            '"softCap": "500000000000",',
            '"minPurchase": "10000000",',
            '"cliff": 2592000,',
            '"tgeBps": 1000,',
            '"dev": 3000,',
            '"start": 1830297600,'
        ];
        string memory json = vm.readFile("./launch/example.json");
        for (uint256 i = 0; i < numbers.length; ++i) {
            string memory key = vm.split(numbers[i], ":")[0];
            // 2 to the power of 128.
            string memory tooLarge = string.concat(key, ': "340282366920938463463374607431768211456",');
            string memory changed = vm.replace(json, numbers[i], tooLarge);
            assertNotEq(changed, json);
            vm.expectPartialRevert(SafeCast.SafeCastOverflowedUintDowncast.selector);
            _script.read(changed);
        }
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

    function test_RevertWhen_TheStartIsPast() public {
        Plan memory plan = _safePlan();
        vm.warp(START + 1);
        vm.expectRevert(abi.encodeWithSelector(Launch.StartsInThePast.selector, START));
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

    /// @dev And short times, so that it can be tried within an hour; the dollar must be the chain's.
    function test_TestChainsMayHaveAPlainAdmin() public {
        Plan memory plan = _plan();
        plan.operators[2] = plan.admin;
        (plan.coolingOff, plan.notice, plan.adminDelay, plan.softCap) = (60, 60, 0, 1);
        vm.warp(START + 1);
        uint256[3] memory chains = [uint256(31337), 11155111, 84532];
        address[3] memory dollars = [
            address(usdc),
            0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238,
            0x036CbD53842c5426634e7929541eC2318f3dCF7e
        ];
        for (uint256 i = 0; i < chains.length; ++i) {
            vm.chainId(chains[i]);
            plan.usdc = dollars[i];
            vm.etch(dollars[i], BASE_USDC.code);
            vm.store(dollars[i], _decimalsSlot(), bytes32(uint256(6)));
            _script.check(plan, _deployer);
        }
    }

    // --- helpers --------------------------------------------------------------------------------------------

    /// @dev As Safe's app makes it: a proxy over the code of the package.
    function _newSafe(string memory name, uint256 threshold, uint256 count) private returns (address safe) {
        safe = makeAddr(name);
        vm.etch(address(0x5AFE), _code("Safe.sol/Safe.json"));
        vm.etch(safe, _code("proxies/SafeProxy.sol/SafeProxy.json"));
        vm.store(safe, bytes32(0), bytes32(uint256(0x5AFE)));
        address[] memory owners = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            owners[i] = address(uint160(0x0A11CE + i));
        }
        ISafeSetup(safe).setup(owners, threshold, address(0), "", address(0), address(0), 0, address(0));
    }

    function _code(string memory artifact) private view returns (bytes memory) {
        return vm.parseJsonBytes(vm.readFile(string.concat(SAFES, artifact)), ".deployedBytecode");
    }

    /// @dev Where Circle's contract has its decimals: found by the value, 6, that the fixture sets.
    function _decimalsSlot() private view returns (bytes32) {
        for (uint256 slot = 0; slot < 20; ++slot) {
            if (uint256(vm.load(address(usdc), bytes32(slot))) == 6) return bytes32(slot);
        }
        revert("no slot holds the decimals");
    }

    function _safePlan() private view returns (Plan memory plan) {
        plan = _plan();
        (plan.admin, plan.usdc) = (_safe, BASE_USDC);
    }

    function _expectNoSafe(address account, string memory fault) private {
        vm.expectRevert(abi.encodeWithSelector(KnownFacts.AdminIsNoMultisig.selector, account, fault));
    }

    function _expectTooLittle(string memory what, uint256 least) private {
        vm.expectRevert(abi.encodeWithSelector(Launch.TooLittle.selector, what, least - 1, least));
    }
}
