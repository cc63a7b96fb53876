// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IClaimModule} from "./interfaces/IClaimModule.sol";
import {IPresale} from "./interfaces/IPresale.sol";
import {ITimedPause} from "./interfaces/ITimedPause.sol";
import {TimedPause} from "./TimedPause.sol";
import {Vesting} from "./Vesting.sol";

/// @notice Holds the AIC of the buyers; see {IClaimModule}.
contract ClaimModule is IClaimModule, TimedPause {
    using SafeERC20 for IERC20;

    uint64 public constant MAX_TGE_DELAY = 90 days;
    uint256 private constant LONGEST_NOTICE = 30 days;

    /// @dev The addresses of token and presale are computed before they are deployed.
    struct Setup {
        address admin;
        uint48 adminDelay;
        address token;
        address presale;
        address unsoldTo;
        uint16 tgeBps;
        uint32 cliff;
        uint32 duration;
        uint32 notice;
    }

    /// @inheritdoc IClaimModule
    address public immutable token;
    /// @inheritdoc IClaimModule
    address public immutable presale;
    /// @inheritdoc IClaimModule
    address public immutable unsoldTo;
    /// @inheritdoc IClaimModule
    uint256 public immutable tgeBps;
    /// @inheritdoc IClaimModule
    uint256 public immutable cliff;
    /// @inheritdoc IClaimModule
    uint256 public immutable duration;
    /// @inheritdoc IClaimModule
    uint256 public immutable notice;

    /// @dev 0 unless the TGE was brought forward.
    uint64 private _earlierTge;
    mapping(address buyer => uint256) private _claimed;
    /// @inheritdoc IClaimModule
    uint256 public totalClaimed;

    constructor(Setup memory setup) AccessControlDefaultAdminRules(setup.adminDelay, setup.admin) {
        require(Vesting.isSound(setup.tgeBps, setup.cliff, setup.duration), BadSchedule());
        require(setup.unsoldTo != address(0) && setup.unsoldTo != address(this), BadSchedule());
        require(setup.notice <= LONGEST_NOTICE, BadSchedule());
        (token, presale, unsoldTo) = (setup.token, setup.presale, setup.unsoldTo);
        (tgeBps, cliff, duration, notice) = (setup.tgeBps, setup.cliff, setup.duration, setup.notice);
    }

    /// @inheritdoc IClaimModule
    function setTge(uint64 time) external onlyRole(DEFAULT_ADMIN_ROLE) {
        uint256 latest = tge();
        require(latest != 0, SaleNotEnded());
        uint256 earliest = block.timestamp + notice;
        require(time >= earliest && time <= latest, TgeTooEarlyOrLate(earliest, latest));
        _earlierTge = time;
        emit TgeSet(time);
    }

    /// @notice {ITimedPause-pause}, but not in the first 72 hours after the TGE: a vault could spend in the TGE's block and no
    /// buyer claim after it.
    function pause() public override(ITimedPause, TimedPause) {
        uint256 begins = tge();
        bool justBegan = block.timestamp >= begins && block.timestamp < begins + PAUSE_WINDOW;
        require(!justBegan, ClaimsJustBegan(begins + PAUSE_WINDOW));
        super.pause();
    }

    /// @inheritdoc IClaimModule
    function claim() external whenNotPaused {
        (uint256 total, uint256 vested, uint256 claimed) = claimable(msg.sender);
        uint256 amount = vested - claimed;
        require(amount > 0, NothingToClaim(vested, total));
        _claimed[msg.sender] = vested;
        totalClaimed += amount;
        emit Claimed(msg.sender, amount, total - vested);
        IERC20(token).safeTransfer(msg.sender, amount);
    }

    /// @inheritdoc IClaimModule
    function sweepUnsold() external {
        uint256 from = unsoldFrom();
        require(from != 0, SaleNotEnded());
        require(block.timestamp >= from, BuyersFirst(from));
        uint256 owed = _isFinalized() ? IPresale(presale).totalSold() - totalClaimed : 0;
        uint256 amount = IERC20(token).balanceOf(address(this)) - owed;
        require(amount > 0, NothingToSweep());
        emit UnsoldSwept(unsoldTo, amount);
        IERC20(token).safeTransfer(unsoldTo, amount);
    }

    /// @inheritdoc IClaimModule
    function tge() public view returns (uint256) {
        if (_earlierTge != 0) return _earlierTge;
        uint256 ended = IPresale(presale).endedAt();
        return ended == 0 ? 0 : ended + MAX_TGE_DELAY;
    }

    /// @inheritdoc IClaimModule
    function unsoldFrom() public view returns (uint256) {
        uint256 begins = tge();
        return begins == 0 ? 0 : begins + cliff + duration;
    }

    /// @inheritdoc IClaimModule
    function claimable(address buyer) public view returns (uint256 total, uint256 vested, uint256 claimed) {
        if (!_isFinalized()) return (0, 0, 0);
        total = IPresale(presale).bought(buyer).aic;
        vested = Vesting.vested(total, tge(), tgeBps, cliff, duration, block.timestamp);
        claimed = _claimed[buyer];
    }

    function _isFinalized() private view returns (bool) {
        return IPresale(presale).state() == IPresale.State.Finalized;
    }
}
