// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {OperatorVault} from "./OperatorVault.sol";

/// @notice Holds the allocations for the community and for incentives; see {IOperatorVault}.
contract MarketingVault is OperatorVault {
    bytes32 public constant MARKETING_OPERATOR_ROLE = keccak256("MARKETING_OPERATOR_ROLE");

    constructor(Setup memory setup, Schedule[] memory all)
        OperatorVault(MARKETING_OPERATOR_ROLE, setup, all)
    {}
}
