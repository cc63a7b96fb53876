// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {ITimedPause} from "./interfaces/ITimedPause.sol";

/// @notice A pause of 72 hours in all; see {ITimedPause}.
abstract contract TimedPause is AccessControlDefaultAdminRules, ITimedPause {
    uint64 public constant PAUSE_WINDOW = 72 hours;

    uint64 private _pausedSince;
    /// @inheritdoc ITimedPause
    uint64 public pausedUntil;
    /// @dev Seconds of the pauses before the last one.
    uint64 private _usedBefore;

    modifier whenNotPaused() {
        require(!_isPaused(), EnforcedPause(pausedUntil));
        _;
    }

    /// @inheritdoc ITimedPause
    function pause() public virtual whenNotPaused onlyRole(DEFAULT_ADMIN_ROLE) {
        uint64 used = uint64(pausedSeconds());
        require(used < PAUSE_WINDOW, PauseUsedUp());
        _usedBefore = used;
        _pausedSince = uint64(block.timestamp);
        pausedUntil = _pausedSince + PAUSE_WINDOW - used;
        emit Paused(msg.sender, pausedUntil);
    }

    /// @inheritdoc ITimedPause
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(_isPaused(), ExpectedPause());
        pausedUntil = uint64(block.timestamp);
        emit Unpaused(msg.sender, PAUSE_WINDOW - pausedSeconds());
    }

    /// @inheritdoc ITimedPause
    function pausedSeconds() public view returns (uint256) {
        uint256 end = _isPaused() ? block.timestamp : pausedUntil;
        return _usedBefore + end - _pausedSince;
    }

    function _isPaused() internal view returns (bool) {
        return block.timestamp < pausedUntil;
    }
}
