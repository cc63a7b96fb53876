// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IERC20Burnable} from "./interfaces/IERC20Burnable.sol";
import {IPaymentSplitter} from "./interfaces/IPaymentSplitter.sol";

/// @notice Burns a share of what it receives and passes on the rest; see {IPaymentSplitter}.
contract PaymentSplitter is IPaymentSplitter, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint256 private constant ALL_BPS = 10_000;

    /// @inheritdoc IPaymentSplitter
    address public immutable treasury;
    /// @inheritdoc IPaymentSplitter
    uint256 public immutable burnBps;
    /// @inheritdoc IPaymentSplitter
    uint256 public immutable deployedAtBlock = block.number;

    /// @inheritdoc IPaymentSplitter
    mapping(address token => uint256) public totalBurned;

    /// @param treasury_ Receives what is not burned.
    /// @param burnBps_ The share that is burned, basis points, 0 to 10000.
    constructor(address treasury_, uint256 burnBps_) {
        require(treasury_ != address(0), ZeroTreasury());
        require(burnBps_ <= ALL_BPS, BurnShareTooLarge(burnBps_));
        treasury = treasury_;
        burnBps = burnBps_;
    }

    /// @inheritdoc IPaymentSplitter
    function split(address token, uint256 amount) external nonReentrant {
        require(amount > 0, ZeroAmount());
        require(token != treasury, TreasuryIsToken());
        uint256 burned = Math.mulDiv(amount, burnBps, ALL_BPS);
        uint256 toTreasury = amount - burned;
        totalBurned[token] += burned;
        emit Split(token, msg.sender, amount, burned, toTreasury);

        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        // Some tokens refuse to move nothing.
        if (burned > 0) IERC20Burnable(token).burn(burned);
        if (toTreasury > 0) IERC20(token).safeTransfer(treasury, toTreasury);

        uint256 afterwards = IERC20(token).balanceOf(address(this));
        require(afterwards == before, NotExact(before, afterwards));
    }
}
