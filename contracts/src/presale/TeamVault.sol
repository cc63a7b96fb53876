// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {OperatorVault} from "./OperatorVault.sol";

/// @notice Holds the team's allocation; see {IOperatorVault}.
contract TeamVault is OperatorVault {
    bytes32 public constant TEAM_OPERATOR_ROLE = keccak256("TEAM_OPERATOR_ROLE");

    constructor(Setup memory setup, Schedule[] memory all) OperatorVault(TEAM_OPERATOR_ROLE, setup, all) {}
}
