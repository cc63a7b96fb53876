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

    struct Position {
        uint128 staked;
        /// Past its cooldown, not withdrawn yet.
        uint128 released;
        uint128 pending;
        uint64 releaseTime;
    }

    IERC20 private immutable _token;
    /// @inheritdoc IAicStaking
    uint256 public immutable cooldown;

    mapping(address account => Position) private _positions;

    /// @param token_ The token that is staked.
    /// @param cooldown_ Seconds between unstaking and payout, 1 to 30 days.
    constructor(IERC20 token_, uint256 cooldown_) {
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

        _release(position);
        uint256 releaseTime = block.timestamp + cooldown;
        // Both casts hold: `amount` is at most a uint128, and a time fits 64 bits for 500 billion years.
        position.staked -= uint128(amount);
        position.pending += uint128(amount);
        position.releaseTime = uint64(releaseTime);
        emit Unstaked(msg.sender, amount, releaseTime);
    }

    /// @inheritdoc IAicStaking
    function withdraw() external nonReentrant {
        Position storage position = _positions[msg.sender];
        _release(position);
        uint256 amount = position.released;
        require(amount > 0, NothingToWithdraw(position.pending, position.releaseTime));

        position.released = 0;
        emit Withdrawn(msg.sender, amount);
        _token.safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IAicStaking
    function stakedBalance(address account) external view returns (uint256) {
        return _positions[account].staked;
    }

    /// @inheritdoc IAicStaking
    function pendingWithdrawal(address account) external view returns (uint256 amount, uint256 releaseTime) {
        Position storage position = _positions[account];
        if (_isWaiting(position)) (amount, releaseTime) = (position.pending, position.releaseTime);
    }

    /// @inheritdoc IAicStaking
    function withdrawable(address account) external view returns (uint256) {
        Position storage position = _positions[account];
        return _isWaiting(position) ? position.released : position.released + position.pending;
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

        _positions[msg.sender].staked += arrived.toUint128();
        emit Staked(msg.sender, arrived);
    }

    /// @dev Moves what is past its cooldown out of reach of the next {unstake}, which would make it wait again.
    function _release(Position storage position) private {
        if (position.pending == 0 || _isWaiting(position)) return;
        position.released += position.pending;
        position.pending = 0;
        position.releaseTime = 0;
    }

    function _isWaiting(Position storage position) private view returns (bool) {
        return block.timestamp < position.releaseTime;
    }
}
