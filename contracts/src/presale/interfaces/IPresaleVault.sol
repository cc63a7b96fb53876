// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice Holds the USDC of the sale. It has no role: it pays buyers back when the presale says so, and sends the rest to
/// fixed vaults in fixed shares once the sale is finalized.
interface IPresaleVault {
    /// @notice Where a share goes.
    struct Route {
        address vault;
        /// Basis points; all routes together are 10000.
        uint16 bps;
    }

    /// @notice A vault got its share.
    event Routed(address indexed vault, uint256 amount, uint256 bps);
    /// @notice A buyer was paid back.
    event PaidBack(address indexed buyer, uint256 amount);

    /// @notice Only the presale may have buyers paid back.
    error OnlyPresale();
    /// @notice A route has no contract, no share, or is named twice, or the shares are not 10000 in all.
    error BadRoutes();
    /// @notice The sale is not finalized, or this vault has all that is due to it.
    error NothingToRoute();

    /// @notice Pays a buyer back. For the presale alone.
    /// @param to The buyer.
    /// @param amount Atomic USDC.
    function pay(address to, uint256 amount) external;

    /// @notice Sends one vault what is due to it. For anyone.
    /// @param index Of the route, from 0.
    function route(uint256 index) external;

    /// @notice What {route} would send now.
    /// @param index Of the route, from 0.
    /// @return Atomic USDC; 0 before the sale is finalized.
    function dueTo(uint256 index) external view returns (uint256);
    /// @notice All routes.
    function routes() external view returns (Route[] memory);
    /// @notice What a vault got, atomic USDC.
    function routed(uint256 index) external view returns (uint256);
    /// @notice What all vaults got, atomic USDC.
    function totalRouted() external view returns (uint256);
    /// @notice The sale whose USDC this is.
    function presale() external view returns (address);
    /// @notice The token that is held.
    function usdc() external view returns (address);
}
