// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {OperatorVault} from "./OperatorVault.sol";

/// @notice Holds the allocation for liquidity; see {IOperatorVault}.
contract LiquidityVault is OperatorVault {
    bytes32 public constant LIQUIDITY_OPERATOR_ROLE = keccak256("LIQUIDITY_OPERATOR_ROLE");

    constructor(Setup memory setup, Schedule[] memory all)
        OperatorVault(LIQUIDITY_OPERATOR_ROLE, setup, all)
    {}
}
