// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Books} from "../src/presale/Books.sol";
import {IPresale} from "../src/presale/interfaces/IPresale.sol";
import {IOperatorVault} from "../src/presale/interfaces/IOperatorVault.sol";
import {KnownFacts} from "./KnownFacts.sol";
import {Plan, PresaleContracts, PresaleDeployment} from "./PresalePlan.sol";
import {Recorded} from "./Recorded.sol";

/// @notice Deploys the eight contracts of the presale as `launch/<network>.json` says; the network comes from
/// `LAUNCH_NETWORK`. `npm run contracts -- record` then writes where they are into `addresses.json`.
/// `AIC_REPLACE=true` deploys again where `addresses.json` has an entry.
contract Launch is Recorded, PresaleDeployment, KnownFacts {
    using SafeCast for uint256;

    string[4] private _names = ["liquidity", "dev", "team", "marketing"];

    /// @notice Where money is real, a time or the soft cap is at least this.
    error TooLittle(string what, uint256 planned, uint256 least);
    /// @notice An operator is named twice, or is the admin or the deployer.
    error OperatorNotSeparate(string name, address operator);
    /// @notice The sale would begin in the past.
    error StartsInThePast(uint256 start);
    /// @notice An amount of AIC, or how many allocations a vault has, is not that of the specification.
    error AllocationDiffers(string holder);

    function run() external {
        string memory network = vm.envString("LAUNCH_NETWORK");
        Plan memory plan = read(vm.readFile(string.concat("./launch/", network, ".json")));
        _checkNotRecorded("presale", vm.envOr("AIC_REPLACE", false));
        vm.startBroadcast();
        (, address deployer,) = vm.readCallers();
        check(plan, deployer);
        _deployAll(plan, deployer);
        vm.stopBroadcast();
    }

    /// @notice Reverts when the plan must not be deployed on this chain; sends nothing.
    function check(Plan memory plan, address deployer) public view {
        _checkUsdc(plan.usdc);
        _checkAllocations(plan);
        if (isTestChain(block.chainid)) return;
        _checkSafe(plan.admin);
        _checkLeast(plan);
        require(plan.phases[0].start >= block.timestamp, StartsInThePast(plan.phases[0].start));
        for (uint256 i = 0; i < 4; ++i) {
            address operator = plan.operators[i];
            bool isSeparate = operator != plan.admin && operator != deployer && operator != address(0);
            for (uint256 j = 0; j < i; ++j) {
                isSeparate = isSeparate && operator != plan.operators[j];
            }
            require(isSeparate, OperatorNotSeparate(_names[i], operator));
        }
    }

    function _checkLeast(Plan memory plan) private view {
        uint256 hardCap = 0;
        for (uint256 i = 0; i < plan.phases.length; ++i) {
            hardCap += Books.worth(plan.phases[i].cap, plan.phases[i].price);
        }
        _require("coolingOff", plan.coolingOff, _least("coolingOff"));
        _require("notice", plan.notice, _least("notice"));
        _require("adminDelay", plan.adminDelay, _least("adminDelay"));
        // Rounded up: a tenth of the hard cap, not a unit less.
        _require("softCap", plan.softCap, (hardCap * _least("softCapBps") + 9_999) / 10_000);
    }

    function _require(string memory what, uint256 planned, uint256 least) private pure {
        require(planned >= least, TooLittle(what, planned, least));
    }

    /// @dev The names, too: they say whose the AIC is.
    function _checkAllocations(Plan memory plan) private view {
        require(plan.claimAmount == 150_000_000 ether, AllocationDiffers("claims"));
        bool[4] memory isSame = [
            plan.schedules[0].length == 1 && _isFor(plan.schedules[0][0], "Liquidity", 50_000_000 ether),
            plan.schedules[1].length == 1 && _isFor(plan.schedules[1][0], "Treasury", 150_000_000 ether),
            plan.schedules[2].length == 1 && _isFor(plan.schedules[2][0], "Team", 200_000_000 ether),
            plan.schedules[3].length == 2 && _isFor(plan.schedules[3][0], "Community", 350_000_000 ether)
                && _isFor(plan.schedules[3][1], "Incentives", 100_000_000 ether)
        ];
        for (uint256 i = 0; i < 4; ++i) {
            require(isSame[i], AllocationDiffers(_names[i]));
        }
    }

    function _isFor(IOperatorVault.Schedule memory some, bytes32 name, uint256 amount)
        private
        pure
        returns (bool)
    {
        return some.name == name && some.amount == amount;
    }

    /// @notice Deploys in the name of the caller of this function's caller.
    function deploy(Plan memory plan) external returns (PresaleContracts memory) {
        return _deployAll(plan, address(this));
    }

    /// @notice Reads a plan from the text of a launch file. Reverts at a number that is too large for its place: cut off, it would
    /// be another one.
    function read(string memory json) public view returns (Plan memory plan) {
        plan.admin = vm.parseJsonAddress(json, ".admin");
        plan.adminDelay = vm.parseJsonUint(json, ".adminDelay").toUint48();
        plan.coolingOff = vm.parseJsonUint(json, ".coolingOff").toUint32();
        plan.notice = vm.parseJsonUint(json, ".notice").toUint32();
        plan.usdc = vm.parseJsonAddress(json, ".usdc");
        plan.softCap = vm.parseJsonUint(json, ".softCap").toUint128();
        plan.minPurchase = vm.parseJsonUint(json, ".minPurchase").toUint128();
        plan.claimAmount = vm.parseJsonUint(json, ".claims.amount");
        plan.claimTgeBps = vm.parseJsonUint(json, ".claims.tgeBps").toUint16();
        plan.claimCliff = vm.parseJsonUint(json, ".claims.cliff").toUint32();
        plan.claimDuration = vm.parseJsonUint(json, ".claims.duration").toUint32();
        plan.phases = _readPhases(json);
        for (uint256 i = 0; i < 4; ++i) {
            plan.operators[i] = vm.parseJsonAddress(json, string.concat(".operators.", _names[i]));
            plan.routeBps[i] = vm.parseJsonUint(json, string.concat(".routes.", _names[i])).toUint16();
            plan.schedules[i] = _readSchedules(json, string.concat(".schedules.", _names[i]));
        }
    }

    function _readPhases(string memory json) private view returns (IPresale.Phase[] memory phases) {
        phases = new IPresale.Phase[](_lengthOf(json, ".phases"));
        for (uint256 i = 0; i < phases.length; ++i) {
            string memory at = _at(".phases", i);
            phases[i] = IPresale.Phase({
                start: vm.parseJsonUint(json, string.concat(at, ".start")).toUint64(),
                end: vm.parseJsonUint(json, string.concat(at, ".end")).toUint64(),
                price: vm.parseJsonUint(json, string.concat(at, ".price")).toUint128(),
                cap: vm.parseJsonUint(json, string.concat(at, ".cap")).toUint128(),
                walletCap: vm.parseJsonUint(json, string.concat(at, ".walletCap")).toUint128()
            });
        }
    }

    function _readSchedules(string memory json, string memory key)
        private
        view
        returns (IOperatorVault.Schedule[] memory all)
    {
        all = new IOperatorVault.Schedule[](_lengthOf(json, key));
        for (uint256 i = 0; i < all.length; ++i) {
            string memory at = _at(key, i);
            all[i] = IOperatorVault.Schedule({
                name: bytes32(bytes(vm.parseJsonString(json, string.concat(at, ".name")))),
                amount: vm.parseJsonUint(json, string.concat(at, ".amount")).toUint128(),
                tgeBps: vm.parseJsonUint(json, string.concat(at, ".tgeBps")).toUint16(),
                cliff: vm.parseJsonUint(json, string.concat(at, ".cliff")).toUint32(),
                duration: vm.parseJsonUint(json, string.concat(at, ".duration")).toUint32()
            });
        }
    }

    function _lengthOf(string memory json, string memory key) private view returns (uint256 count) {
        while (vm.keyExistsJson(json, _at(key, count))) ++count;
    }

    function _at(string memory key, uint256 index) private pure returns (string memory) {
        return string.concat(key, "[", vm.toString(index), "]");
    }
}
