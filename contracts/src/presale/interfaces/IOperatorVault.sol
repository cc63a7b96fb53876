// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Holds one or more allocations of AIC, and its share of the USDC. An operator spends it, to addresses that the
/// admin allowed, and AIC only as its schedules free it.
interface IOperatorVault {
    /// @notice An allocation of AIC and how it becomes free, from {IClaimModule-tge} on.
    struct Schedule {
        bytes32 name;
        /// Atomic AIC.
        uint128 amount;
        /// Basis points that are free at the TGE.
        uint16 tgeBps;
        /// Seconds from the TGE until the rest begins to be free.
        uint32 cliff;
        /// Seconds over which the rest becomes free.
        uint32 duration;
    }

    /// @notice The operator sent tokens.
    event Spent(address indexed token, address indexed to, uint256 amount, bytes32 memo);
    /// @notice The admin allowed an address, or no longer does.
    event PayeeSet(address indexed payee, bool allowed);

    /// @notice The admin has not allowed this address.
    error NotAPayee(address to);
    /// @notice Less AIC is free.
    error StillLocked(uint256 releasable, uint256 amount);
    /// @notice More than everything at the TGE, or an end after more than ten years.
    error BadSchedule();

    /// @notice Sends tokens of this vault. For the operator.
    /// @param token AIC, within {releasable}, or any other token.
    /// @param to A payee.
    /// @param amount Atomic units.
    /// @param memo What for; only logged.
    function spend(IERC20 token, address to, uint256 amount, bytes32 memo) external;

    /// @notice Allows an address to be paid, or no longer. For the admin.
    function setPayee(address payee, bool allowed) external;

    /// @notice AIC that can be spent now, atomic units: all that is here above {lockedAt}.
    function releasable() external view returns (uint256);
    /// @notice AIC that the schedules lock at `time` (Unix seconds), atomic units. All of it before the TGE.
    function lockedAt(uint256 time) external view returns (uint256);
    /// @notice All schedules.
    function schedules() external view returns (Schedule[] memory);
    /// @notice Whether an address can be paid.
    function isPayee(address account) external view returns (bool);
    /// @notice The role that spends.
    function operatorRole() external view returns (bytes32);
    /// @notice The block this contract was made in.
    function deployedAtBlock() external view returns (uint256);
    /// @notice AIC.
    function aic() external view returns (address);
    /// @notice The contract that knows the TGE.
    function claimModule() external view returns (address);
}
