// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ITimedPause} from "./ITimedPause.sol";

/// @notice Sells AIC for USDC in phases with fixed prices. The USDC waits in the vault; AIC is claimed after the sale.
/// @dev The rules, for buyers and for the team:
/// - Buying ends when the time of the last phase is over, for both: no purchase ends it earlier, no pause later.
/// - From then until the sale is final, every buyer can take all USDC back. It is final when someone calls {finalize}, after the
/// cooling-off at the earliest, and only if what is left then reaches the soft cap. No USDC moves to the team before.
/// - The sale becomes final in one of two ways, for ever: finalized, then buyers have AIC and the USDC is routed; or cancelled,
/// then buyers have their USDC back. The admin can cancel until the sale is finalized.
/// Only counters decide, never a balance, so nothing that is sent to one of the contracts changes the sale. The admin can also
/// pause buying for 72 hours in all, and return USDC that was sent to this contract by mistake; it can change no price, cap,
/// time or address, and take no buyer's money.
interface IPresale is ITimedPause {
    /// @notice One part of the sale with its own price.
    struct Phase {
        /// Unix seconds of the first and after the last moment of the phase.
        uint64 start;
        uint64 end;
        /// Atomic USDC per whole AIC.
        uint128 price;
        /// Atomic AIC that the phase sells at most.
        uint128 cap;
        /// Atomic USDC that one wallet can spend in the phase.
        uint128 walletCap;
    }

    /// @notice What was sold, atomic units.
    struct Sold {
        uint128 aic;
        uint128 usdc;
    }

    /// @notice An EIP-3009 `ReceiveWithAuthorization` of USDC to this contract, signed by the buyer with the nonce
    /// {nonceOf}.
    struct Authorization {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 salt;
        bytes signature;
    }

    /// @dev Waiting: a phase is still to come and none runs. CoolingOff: the time of the last phase is over, and {finalize} is
    /// not possible yet. Ended: it is possible, if the soft cap was reached, and neither {finalize} nor {cancel} was called.
    /// From CoolingOff on no earlier state comes back.
    enum State {
        Waiting,
        Open,
        Paused,
        CoolingOff,
        Ended,
        Finalized,
        Cancelled
    }

    /// @notice `buyer` bought AIC.
    /// @param buyer Who paid and owns the AIC.
    /// @param phaseId The phase.
    /// @param usdcAmount Atomic USDC.
    /// @param aicAmount Atomic AIC.
    /// @param relayer Who sent the transaction.
    /// @param previousBlock The block of the purchase before this one; 0 for the first.
    event Purchased(
        address indexed buyer,
        uint256 indexed phaseId,
        uint256 usdcAmount,
        uint256 aicAmount,
        address relayer,
        uint256 previousBlock
    );

    /// @notice The sale succeeded.
    /// @param raised Atomic USDC.
    /// @param totalSold Atomic AIC.
    event Finalized(uint256 raised, uint256 totalSold);

    /// @notice The sale was cancelled; every buyer can have their USDC back.
    /// @param by Who cancelled it.
    /// @param raised Atomic USDC that is to be paid back.
    event Cancelled(address indexed by, uint256 raised);

    /// @notice `buyer` had all their USDC back.
    /// @param buyer The buyer.
    /// @param usdcAmount Atomic USDC.
    event Refunded(address indexed buyer, uint256 usdcAmount);

    /// @notice USDC that was sent to this contract by mistake went out.
    /// @param to Who got it.
    /// @param usdcAmount Atomic USDC.
    event MistakenReturned(address indexed to, uint256 usdcAmount);

    /// @notice The phases are not 1 to 8 in order, one of them sells nothing, they cannot reach the soft cap, they take over 180 days
    /// or are over already, the cooling-off is longer than 30 days, or the smallest purchase is nothing.
    error BadPhases();
    /// @notice The vault is not of this sale or not for this USDC.
    error WrongVault();
    /// @notice The claim module is not of this sale.
    error WrongClaimModule();
    /// @notice The claim module does not hold all that the phases can sell.
    /// @param held Atomic AIC.
    /// @param needed Atomic AIC.
    error ClaimModuleUnderfunded(uint256 held, uint256 needed);
    /// @notice Nothing can be bought in this state.
    error NotOpen(uint256 phaseId, State state);
    /// @notice The phase does not run now; `start` and `end` are 0 when there is no such phase.
    error PhaseClosed(uint256 phaseId, uint256 start, uint256 end);
    /// @notice The phase has less left.
    /// @param left Atomic AIC.
    error PhaseSoldOut(uint256 phaseId, uint256 left);
    /// @notice The wallet can spend less in this phase.
    /// @param left Atomic USDC.
    error WalletCapReached(uint256 phaseId, uint256 left);
    /// @notice The purchase is too small, and not the last piece of the phase.
    /// @param minimum Atomic USDC.
    error PurchaseTooSmall(uint256 minimum);
    /// @notice The time of the last phase is not over, or the sale is final already.
    error NotFinished();
    /// @notice The sale cannot be finalized before then.
    /// @param time Unix seconds.
    error CoolingOffUntil(uint256 time);
    /// @notice The sale raised too little to be finalized.
    /// @param raised Atomic USDC.
    /// @param softCap Atomic USDC.
    error SoftCapMissed(uint256 raised, uint256 softCap);
    /// @notice The sale is final, or did not miss its soft cap and the caller is not the admin.
    error NotCancellable();
    /// @notice USDC is paid back only after the last phase and until the sale is finalized, or when it was cancelled.
    error NotRefundable();
    /// @notice The caller has nothing to be paid back.
    error NothingToRefund();

    /// @notice Buys AIC with USDC that the caller approved. All or nothing.
    /// @param phaseId The phase, and so the price, that the buyer means.
    /// @param usdcAmount Atomic USDC.
    function buy(uint256 phaseId, uint256 usdcAmount) external;

    /// @notice {buy} with an EIP-2612 permit. A permit that another account sent first does no harm.
    /// @param phaseId The phase.
    /// @param usdcAmount Atomic USDC, paid and permitted.
    /// @param deadline Unix seconds until which the permit may be used.
    /// @param v Of the permit's signature.
    /// @param r Of the permit's signature.
    /// @param s Of the permit's signature.
    function buyWithPermit(
        uint256 phaseId,
        uint256 usdcAmount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Buys for `authorization.from` with its signature alone. Anyone may send it, and it cannot be changed: the
    /// nonce that is signed contains the phase, and only this contract can use the authorization.
    /// @param phaseId The phase.
    /// @param authorization The signed authorization.
    function buyWithAuthorization(uint256 phaseId, Authorization calldata authorization) external;

    /// @notice Makes the sale final: buyers have AIC, and the USDC can be routed. For anyone, from {coolingOffUntil} on, when the
    /// USDC that is still here reaches the soft cap.
    function finalize() external;

    /// @notice Ends the sale with all USDC paid back. For anyone when less than the soft cap is here after the last phase; for
    /// the admin at any time before it is finalized.
    function cancel() external;

    /// @notice Pays the caller back all their USDC: from {endsAt} until the sale is finalized, without a reason or a fee; without
    /// a deadline when it was cancelled. Cancels the sale first when less than the soft cap is here.
    function refund() external;

    /// @notice Returns USDC that was sent to this contract by mistake. For the admin. A buyer's USDC is never here: it is in the
    /// vault, where nothing can be returned in this way.
    /// @param to Who gets it.
    /// @param amount Atomic USDC.
    function returnMistaken(address to, uint256 amount) external;

    /// @notice The EIP-3009 nonce of a purchase: `keccak256(abi.encode(phaseId, salt))`.
    function nonceOf(uint256 phaseId, bytes32 salt) external pure returns (bytes32);
    /// @notice What the sale is in now.
    function state() external view returns (State);
    /// @notice A phase; ids begin at 1.
    function phase(uint256 phaseId) external view returns (Phase memory);
    /// @notice How many phases there are.
    function phaseCount() external view returns (uint256);
    /// @notice Atomic AIC for `usdcAmount` at the price of a phase, rounded down.
    function quote(uint256 phaseId, uint256 usdcAmount) external view returns (uint256);
    /// @notice What a phase has sold.
    function soldIn(uint256 phaseId) external view returns (Sold memory);
    /// @notice What `buyer` has bought in a phase.
    function positionIn(address buyer, uint256 phaseId) external view returns (Sold memory);
    /// @notice What `buyer` has bought in all phases.
    function bought(address buyer) external view returns (Sold memory);
    /// @notice Atomic USDC of all purchases that were not paid back.
    function raised() external view returns (uint256);
    /// @notice Atomic AIC of all purchases that were not paid back.
    function totalSold() external view returns (uint256);
    /// @notice Atomic USDC below which the sale fails.
    function softCap() external view returns (uint256);
    /// @notice The smallest purchase, atomic USDC.
    function minPurchase() external view returns (uint256);
    /// @notice When the sale was finalized or cancelled, Unix seconds; 0 before.
    function endedAt() external view returns (uint256);
    /// @notice Whether the sale was cancelled.
    function cancelled() external view returns (bool);
    /// @notice When the time of the last phase is over, Unix seconds. Nothing is sold from then on.
    function endsAt() external view returns (uint256);
    /// @notice How long the sale cannot be finalized after its end, seconds.
    function coolingOff() external view returns (uint256);
    /// @notice The earliest moment at which the sale can be finalized, Unix seconds: {endsAt} and {coolingOff} after it.
    function coolingOffUntil() external view returns (uint256);
    /// @notice The block of the last purchase; 0 before the first.
    function lastPurchaseBlock() external view returns (uint256);
    /// @notice The block this contract was made in.
    function deployedAtBlock() external view returns (uint256);
    /// @notice The token that is paid with.
    function usdc() external view returns (address);
    /// @notice Where the USDC waits.
    function vault() external view returns (address);
    /// @notice Where AIC is claimed.
    function claimModule() external view returns (address);
}
