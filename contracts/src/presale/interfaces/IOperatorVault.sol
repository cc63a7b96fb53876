// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Holds one or more allocations of AIC, and its share of the USDC. An operator spends it, to addresses that the
/// admin allowed, and AIC only as its schedules free it.
/// @dev The rules bind admin and operator: a new payee or operator counts after {notice}, one that is removed no longer counts at
/// once; and while buyers' claims are paused, no AIC is spent.
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

    /// @notice The admin has not allowed this address, or less than {notice} ago.
    error NotAPayee(address to);
    /// @notice The caller was made an operator less than {notice} ago.
    /// @param time Unix seconds from which it can spend.
    error NotYet(uint256 time);
    /// @notice Less AIC is free; none while claims are paused.
    error StillLocked(uint256 releasable, uint256 amount);
    /// @notice More than everything at the TGE, an end after more than ten years, or a notice of more than 30 days.
    error BadSchedule();

    /// @notice Sends tokens of this vault. For the operator.
    /// @param token AIC, within {releasable}, or any other token.
    /// @param to A payee.
    /// @param amount Atomic units.
    /// @param memo What for; only logged.
    function spend(IERC20 token, address to, uint256 amount, bytes32 memo) external;

    /// @notice Allows an address to be paid, from {notice} later on, or no longer, at once. For the admin. An address that is
    /// allowed already keeps its time.
    function setPayee(address payee, bool allowed) external;

    /// @notice AIC that can be spent now, atomic units: all that is here above {lockedAt}; 0 while claims are paused.
    function releasable() external view returns (uint256);
    /// @notice AIC that the schedules lock at `time` (Unix seconds), atomic units. All of it before the TGE.
    function lockedAt(uint256 time) external view returns (uint256);
    /// @notice All schedules.
    function schedules() external view returns (Schedule[] memory);
    /// @notice Whether an address can be paid now.
    function isPayee(address account) external view returns (bool);
    /// @notice From when an address can be paid, Unix seconds; 0 when it cannot.
    function payeeFrom(address account) external view returns (uint256);
    /// @notice From when an operator can spend, Unix seconds; 0 for an account without the role.
    function operatorFrom(address account) external view returns (uint256);
    /// @notice How long a new payee or operator waits, seconds.
    function notice() external view returns (uint256);
    /// @notice The role that spends.
    function operatorRole() external view returns (bytes32);
    /// @notice The block this contract was made in.
    function deployedAtBlock() external view returns (uint256);
    /// @notice AIC.
    function aic() external view returns (address);
    /// @notice The contract that knows the TGE.
    function claimModule() external view returns (address);
}
