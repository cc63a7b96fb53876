// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice A part at the token generation event (TGE), and the rest evenly over a time that begins after a cliff.
library Vesting {
    uint256 internal constant ALL_BPS = 10_000;
    /// @dev Nothing is locked for longer than this after the TGE.
    uint256 internal constant LONGEST = 3_650 days;

    /// @notice Whether a schedule can be kept: at most everything at the TGE, and an end in at most ten years.
    function isSound(uint256 tgeBps, uint256 cliff, uint256 duration) internal pure returns (bool) {
        return tgeBps <= ALL_BPS && cliff + duration <= LONGEST;
    }

    /// @notice What of `amount` is free at `time`.
    /// @param amount Atomic units.
    /// @param tge Unix seconds; 0 when it is not known yet, and then nothing is free.
    /// @param tgeBps Basis points that are free at the TGE.
    /// @param cliff Seconds from the TGE until the rest begins to be free.
    /// @param duration Seconds over which the rest becomes free.
    /// @param time Unix seconds.
    /// @return Atomic units, rounded down.
    function vested(
        uint256 amount,
        uint256 tge,
        uint256 tgeBps,
        uint256 cliff,
        uint256 duration,
        uint256 time
    ) internal pure returns (uint256) {
        if (tge == 0 || time < tge) return 0;
        uint256 start = tge + cliff;
        if (time >= start + duration) return amount;
        uint256 atTge = Math.mulDiv(amount, tgeBps, ALL_BPS);
        if (time <= start) return atTge;
        return atTge + Math.mulDiv(amount - atTge, time - start, duration);
    }
}
