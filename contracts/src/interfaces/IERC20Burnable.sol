// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice A token whose holders can take their own tokens out of circulation.
interface IERC20Burnable {
    /// @notice Destroys `amount` of the caller's tokens for good.
    /// @param amount Atomic units.
    function burn(uint256 amount) external;
}
