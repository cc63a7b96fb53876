// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IPresale} from "./interfaces/IPresale.sol";
import {IPresaleVault} from "./interfaces/IPresaleVault.sol";

/// @notice Holds the USDC of the sale; see {IPresaleVault}.
contract PresaleVault is IPresaleVault {
    using SafeERC20 for IERC20;

    uint256 private constant ALL_BPS = 10_000;

    /// @inheritdoc IPresaleVault
    address public immutable usdc;
    /// @inheritdoc IPresaleVault
    address public immutable presale;
    Route[] private _routes;
    /// @inheritdoc IPresaleVault
    mapping(uint256 index => uint256) public routed;
    /// @inheritdoc IPresaleVault
    uint256 public totalRouted;

    /// @param presale_ Its address, which is computed before it is deployed.
    constructor(address usdc_, address presale_, Route[] memory routes_) {
        (usdc, presale) = (usdc_, presale_);
        uint256 sum = 0;
        for (uint256 i = 0; i < routes_.length; ++i) {
            require(routes_[i].vault.code.length > 0 && routes_[i].bps > 0, BadRoutes());
            for (uint256 j = 0; j < i; ++j) {
                require(routes_[j].vault != routes_[i].vault, BadRoutes());
            }
            sum += routes_[i].bps;
            _routes.push(routes_[i]);
        }
        require(sum == ALL_BPS, BadRoutes());
    }

    /// @inheritdoc IPresaleVault
    function pay(address to, uint256 amount) external {
        require(msg.sender == presale, OnlyPresale());
        emit PaidBack(to, amount);
        IERC20(usdc).safeTransfer(to, amount);
    }

    /// @inheritdoc IPresaleVault
    function route(uint256 index) external {
        uint256 amount = dueTo(index);
        require(amount > 0, NothingToRoute());
        routed[index] += amount;
        totalRouted += amount;
        Route memory to = _routes[index];
        emit Routed(to.vault, amount, to.bps);
        IERC20(usdc).safeTransfer(to.vault, amount);
    }

    /// @inheritdoc IPresaleVault
    function dueTo(uint256 index) public view returns (uint256) {
        if (IPresale(presale).state() != IPresale.State.Finalized) return 0;
        uint256 balance = IERC20(usdc).balanceOf(address(this));
        uint256 share = _shareOf(index, balance + totalRouted);
        // When more USDC arrives, the remainder of the last vault can shrink by some units that it has already.
        return Math.min(Math.saturatingSub(share, routed[index]), balance);
    }

    /// @inheritdoc IPresaleVault
    function routes() external view returns (Route[] memory) {
        return _routes;
    }

    /// @dev The share of a vault in `total`, rounded down; the last vault has what the others leave.
    function _shareOf(uint256 index, uint256 total) private view returns (uint256 share) {
        if (index + 1 != _routes.length) return Math.mulDiv(total, _routes[index].bps, ALL_BPS);
        share = total;
        for (uint256 i = 0; i < index; ++i) {
            share -= Math.mulDiv(total, _routes[i].bps, ALL_BPS);
        }
    }
}
