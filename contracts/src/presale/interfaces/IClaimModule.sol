// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ITimedPause} from "./ITimedPause.sol";

/// @notice Holds the AIC of the buyers and pays it out over time, from the token generation event (TGE) on.
/// @dev The rules, for buyers and for the team:
/// - Buyers' AIC becomes free by its schedule. AIC that was not sold stays here until all of the buyers' is free, also after a
/// cancelled sale.
/// - Claims can be paused for 72 hours in all, not from within the first 72 hours after the TGE. While they are, no vault of the
/// team spends AIC.
/// - A TGE that is earlier than 90 days after the sale is announced {notice} ahead.
interface IClaimModule is ITimedPause {
    /// @notice The admin brought the TGE forward.
    event TgeSet(uint256 time);
    /// @notice `buyer` was paid.
    /// @param amount Atomic AIC.
    /// @param left Atomic AIC that the buyer will have later.
    event Claimed(address indexed buyer, uint256 amount, uint256 left);
    /// @notice AIC that no buyer is owed went out.
    event UnsoldSwept(address indexed to, uint256 amount);

    /// @notice More than everything at the TGE, an end after more than ten years, no one to get the unsold AIC, or a notice of more
    /// than 30 days.
    error BadSchedule();
    /// @notice The sale is neither finalized nor cancelled.
    error SaleNotEnded();
    /// @notice The TGE can only be brought forward, and not to less than {notice} from now.
    error TgeTooEarlyOrLate(uint256 earliest, uint256 latest);
    /// @notice What was not sold stays here until all AIC of the buyers is free.
    /// @param time Unix seconds.
    error BuyersFirst(uint256 time);
    /// @notice Claims cannot be paused in the first 72 hours after the TGE.
    /// @param time Unix seconds from which they can.
    error ClaimsJustBegan(uint256 time);
    /// @notice Nothing can be claimed now.
    /// @param vested Atomic AIC that has become free so far.
    /// @param total Atomic AIC that the caller bought; 0 unless the sale was finalized.
    error NothingToClaim(uint256 vested, uint256 total);
    /// @notice Buyers are owed all that is here.
    error NothingToSweep();

    /// @notice Brings the TGE forward. For the admin, after the sale.
    /// @param time Unix seconds, from now and {notice} to {tge}.
    function setTge(uint64 time) external;

    /// @notice Pays the caller what has become free of what they bought.
    function claim() external;

    /// @notice Sends what no buyer is owed to {unsoldTo}. For anyone, from {unsoldFrom} on.
    function sweepUnsold() external;

    /// @notice The TGE: 90 days after the sale was finalized or cancelled, unless it was brought forward.
    /// @return Unix seconds; 0 before the sale is finalized or cancelled.
    function tge() external view returns (uint256);
    /// @notice When all AIC of the buyers is free, and what was not sold can leave: TGE, cliff and duration.
    /// @return Unix seconds; 0 before the sale is finalized or cancelled. Earlier when the TGE is brought forward.
    function unsoldFrom() external view returns (uint256);
    /// @notice How long ahead an earlier TGE is announced, seconds.
    function notice() external view returns (uint256);
    /// @notice What `buyer` bought, what of it is free by now, and what was claimed. Atomic AIC; all 0 unless the sale was
    /// finalized.
    function claimable(address buyer) external view returns (uint256 total, uint256 vested, uint256 claimed);
    /// @notice What all buyers have claimed, atomic AIC.
    function totalClaimed() external view returns (uint256);
    /// @notice Basis points that are free at the TGE.
    function tgeBps() external view returns (uint256);
    /// @notice Seconds from the TGE until the rest begins to be free.
    function cliff() external view returns (uint256);
    /// @notice Seconds over which the rest becomes free.
    function duration() external view returns (uint256);
    /// @notice Who gets the AIC that was not sold.
    function unsoldTo() external view returns (address);
    /// @notice AIC.
    function token() external view returns (address);
    /// @notice The sale.
    function presale() external view returns (address);
}
