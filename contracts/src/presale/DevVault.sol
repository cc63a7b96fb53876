// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {OperatorVault} from "./OperatorVault.sol";

/// @notice Holds the treasury's allocation, for development; see {IOperatorVault}.
contract DevVault is OperatorVault {
    bytes32 public constant DEV_OPERATOR_ROLE = keccak256("DEV_OPERATOR_ROLE");

    constructor(Setup memory setup, Schedule[] memory all) OperatorVault(DEV_OPERATOR_ROLE, setup, all) {}
}
