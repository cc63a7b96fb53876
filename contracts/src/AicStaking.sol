// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IAicStaking} from "./interfaces/IAicStaking.sol";

/// @notice Holds staked AIC; see {IAicStaking}.
contract AicStaking is IAicStaking, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    uint256 private constant MAX_COOLDOWN = 30 days;
    /// @dev Beside the first portion.
    uint256 private constant MAX_LATER = 7;

    /// @dev The usual account has at most one portion, and then all of it is in one slot: the supply of 10^27 fits into
    /// 96 bits.
    struct Position {
        uint96 staked;
        /// The oldest portion; 0 when there is none.
        uint96 firstAmount;
        uint48 firstTime;
        /// How many of `later` are in use, the oldest first.
        uint16 laterCount;
        Portion[MAX_LATER] later;
    }

    IERC20 private immutable _token;
    /// @inheritdoc IAicStaking
    uint256 public immutable cooldown;

    mapping(address account => Position) private _positions;

    /// @param token_ The token that is staked.
    /// @param cooldown_ Seconds between unstaking and payout, 1 to 30 days.
    constructor(IERC20 token_, uint256 cooldown_) {
        require(address(token_).code.length > 0, TokenHasNoCode(address(token_)));
        require(cooldown_ > 0 && cooldown_ <= MAX_COOLDOWN, CooldownOutOfRange(cooldown_));
        _token = token_;
        cooldown = cooldown_;
    }

    /// @inheritdoc IAicStaking
    function stake(uint256 amount) external nonReentrant {
        _stake(amount);
    }

    /// @inheritdoc IAicStaking
    function stakeWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        nonReentrant
    {
        // A permit can be sent by anyone who sees it; the allowance decides, not who set it.
        try IERC20Permit(address(_token)).permit(msg.sender, address(this), amount, deadline, v, r, s) {}
            catch {}
        _stake(amount);
    }

    /// @inheritdoc IAicStaking
    function unstake(uint256 amount) external nonReentrant {
        require(amount > 0, ZeroAmount());
        Position storage position = _positions[msg.sender];
        uint256 staked = position.staked;
        require(amount <= staked, StakeTooSmall(staked, amount));

        // The cast of the amount holds: it is at most a uint96.
        uint96 part = uint96(amount);
        uint48 releaseTime = (block.timestamp + cooldown).toUint48();
        position.staked -= part;
        if (position.firstAmount == 0) {
            (position.firstAmount, position.firstTime) = (part, releaseTime);
        } else {
            require(position.laterCount < MAX_LATER, TooManyPortions(position.firstTime));
            position.later[position.laterCount] = Portion(part, releaseTime);
            ++position.laterCount;
        }
        emit Unstaked(msg.sender, amount, releaseTime);
    }

    /// @inheritdoc IAicStaking
    function withdraw() external nonReentrant {
        Position storage position = _positions[msg.sender];
        uint256 amount = _takeReleased(position);
        if (amount == 0) {
            (uint256 pending,) = pendingWithdrawal(msg.sender);
            revert NothingToWithdraw(pending, position.firstTime);
        }
        emit Withdrawn(msg.sender, amount);
        _token.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IAicStaking
    function stakedBalance(address account) external view returns (uint256) {
        return _positions[account].staked;
    }

    /// @inheritdoc IAicStaking
    function pendingWithdrawal(address account) public view returns (uint256 amount, uint256 releaseTime) {
        Portion[] memory all = portions(account);
        for (uint256 i = 0; i < all.length; ++i) {
            if (_isReleased(all[i].releaseTime)) continue;
            (amount, releaseTime) = (amount + all[i].amount, all[i].releaseTime);
        }
    }

    /// @inheritdoc IAicStaking
    function withdrawable(address account) external view returns (uint256 amount) {
        Portion[] memory all = portions(account);
        for (uint256 i = 0; i < all.length; ++i) {
            if (_isReleased(all[i].releaseTime)) amount += all[i].amount;
        }
    }

    /// @inheritdoc IAicStaking
    function portions(address account) public view returns (Portion[] memory all) {
        Position storage position = _positions[account];
        if (position.firstAmount == 0) return all;
        uint256 count = position.laterCount;
        all = new Portion[](count + 1);
        all[0] = Portion(position.firstAmount, position.firstTime);
        for (uint256 i = 0; i < count; ++i) {
            all[i + 1] = position.later[i];
        }
    }

    /// @inheritdoc IAicStaking
    function token() external view returns (address) {
        return address(_token);
    }

    /// @dev Credits what arrived, which a token with a fee makes less than `amount`.
    function _stake(uint256 amount) private {
        uint256 before = _token.balanceOf(address(this));
        _token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 arrived = _token.balanceOf(address(this)) - before;
        require(arrived > 0, ZeroAmount());

        _positions[msg.sender].staked += arrived.toUint96();
        emit Staked(msg.sender, arrived);
    }

    /// @dev Removes the portions that are past their wait, which are the oldest ones, and moves the others up.
    function _takeReleased(Position storage position) private returns (uint256 amount) {
        if (position.firstAmount == 0 || !_isReleased(position.firstTime)) return 0;
        amount = position.firstAmount;
        uint256 count = position.laterCount;
        uint256 taken = 0;
        while (taken < count && _isReleased(position.later[taken].releaseTime)) {
            amount += position.later[taken].amount;
            ++taken;
        }

        Portion memory first;
        if (taken < count) first = position.later[taken++];
        (position.firstAmount, position.firstTime) = (first.amount, first.releaseTime);
        position.laterCount = uint16(count - taken);
        if (taken == 0) return amount;
        for (uint256 i = 0; i < count; ++i) {
            if (i + taken < count) position.later[i] = position.later[i + taken];
            else delete position.later[i];
        }
    }

    function _isReleased(uint256 releaseTime) private view returns (bool) {
        return block.timestamp >= releaseTime;
    }
}
