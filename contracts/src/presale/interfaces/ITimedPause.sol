// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice A pause that ends by itself: 72 hours in all, over the whole life of the contract.
interface ITimedPause {
    /// @notice A pause began.
    /// @param account The admin.
    /// @param until Unix seconds at which it ends by itself.
    event Paused(address indexed account, uint256 until);

    /// @notice The admin ended a pause early.
    /// @param account The admin.
    /// @param secondsLeft What is left for later pauses.
    event Unpaused(address indexed account, uint256 secondsLeft);

    /// @notice The contract is paused.
    /// @param until Unix seconds at which the pause ends by itself.
    error EnforcedPause(uint256 until);

    /// @notice The contract is not paused.
    error ExpectedPause();

    /// @notice All 72 hours of pause were used.
    error PauseUsedUp();

    /// @notice Pauses for what is left of the 72 hours. For the admin.
    function pause() external;

    /// @notice Ends a pause; what was not used of it can be used later. For the admin.
    function unpause() external;

    /// @notice When the last pause ends or ended.
    /// @return Unix seconds; 0 when there was none.
    function pausedUntil() external view returns (uint64);

    /// @notice How long the contract has been paused, in all.
    /// @return Seconds, at most 72 hours.
    function pausedSeconds() external view returns (uint256);
}
