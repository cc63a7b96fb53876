// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice Burns a share of income, `burnBps`, and sends the rest to the treasury.
/// @dev Everyone may split their own tokens, and only those. Nothing can be changed. The contract has no
/// balance between calls; tokens sent here directly are not part of any split and stay.
interface IPaymentSplitter {
    /// @notice `amount` of `token` was divided.
    /// @param token The token.
    /// @param caller Who paid it in.
    /// @param amount Atomic units, always `burned + toTreasury`.
    /// @param burned Atomic units destroyed.
    /// @param toTreasury Atomic units passed on.
    event Split(
        address indexed token, address indexed caller, uint256 amount, uint256 burned, uint256 toTreasury
    );

    /// @notice The treasury given to the constructor is the zero address.
    error ZeroTreasury();

    /// @notice The treasury is the token that is split: what it received could never leave.
    error TreasuryIsToken();

    /// @notice The share given to the constructor is more than everything.
    /// @param burnBps Basis points.
    error BurnShareTooLarge(uint256 burnBps);

    /// @notice The amount is zero.
    error ZeroAmount();

    /// @notice The token did not move exactly the requested amount (it takes a fee, or its `burn` burns nothing).
    /// @param before The splitter's balance before the call.
    /// @param afterwards The splitter's balance after it.
    error NotExact(uint256 before, uint256 afterwards);

    /// @notice Takes `amount` of `token` from the caller, who has approved it, burns `amount * burnBps / 10000` (rounded
    /// down) and sends the rest to the treasury.
    /// @param token A token with `burn(uint256)`.
    /// @param amount Atomic units.
    function split(address token, uint256 amount) external;

    /// @notice All of `token` burned here so far.
    /// @param token Any token.
    /// @return Atomic units.
    function totalBurned(address token) external view returns (uint256);

    /// @notice Where the rest goes.
    /// @return Its address.
    function treasury() external view returns (address);

    /// @notice The share that is burned.
    /// @return Basis points, 0 to 10000.
    function burnBps() external view returns (uint256);

    /// @notice The block this contract was made in: no {Split} is older.
    /// @return Block number.
    function deployedAtBlock() external view returns (uint256);
}
