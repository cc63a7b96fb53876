// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IERC3009Signatures} from "../interfaces/IERC3009Signatures.sol";
import {IClaimModule} from "./interfaces/IClaimModule.sol";
import {IPresale} from "./interfaces/IPresale.sol";
import {IPresaleVault} from "./interfaces/IPresaleVault.sol";
import {Books} from "./Books.sol";
import {TimedPause} from "./TimedPause.sol";

/// @notice Sells AIC for USDC; see {IPresale}.
contract Presale is IPresale, TimedPause, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    uint256 private constant MAX_PHASES = 8;
    /// @dev From the first phase's start to the last one's end: no buyer can leave before the end.
    uint256 private constant LONGEST_SALE = 180 days;
    uint256 private constant LONGEST_COOLING_OFF = 30 days;

    struct Setup {
        address admin;
        uint48 adminDelay;
        address usdc;
        address vault;
        address claimModule;
        uint128 softCap;
        uint128 minPurchase;
        uint32 coolingOff;
    }

    /// @inheritdoc IPresale
    address public immutable usdc;
    /// @inheritdoc IPresale
    address public immutable vault;
    /// @inheritdoc IPresale
    address public immutable claimModule;
    /// @inheritdoc IPresale
    uint256 public immutable softCap;
    /// @inheritdoc IPresale
    uint256 public immutable minPurchase;
    /// @inheritdoc IPresale
    uint256 public immutable coolingOff;
    /// @inheritdoc IPresale
    uint256 public immutable deployedAtBlock = block.number;
    /// @inheritdoc IPresale
    uint256 public immutable phaseCount;

    mapping(uint256 phaseId => Phase) private _phases;
    mapping(uint256 phaseId => Sold) private _soldIn;
    mapping(address buyer => mapping(uint256 phaseId => Sold)) private _positions;
    Sold private _total;
    /// @inheritdoc IPresale
    uint256 public lastPurchaseBlock;
    uint64 private _endedAt;
    /// @inheritdoc IPresale
    bool public cancelled;

    constructor(Setup memory setup, Phase[] memory phases)
        AccessControlDefaultAdminRules(setup.adminDelay, setup.admin)
    {
        (usdc, vault, claimModule) = (setup.usdc, setup.vault, setup.claimModule);
        (softCap, minPurchase, coolingOff) = (setup.softCap, setup.minPurchase, setup.coolingOff);
        phaseCount = phases.length;
        (uint256 caps, uint256 hardCap) = _storePhases(phases, setup.minPurchase);
        require(setup.softCap > 0 && setup.softCap <= hardCap, BadPhases());
        require(setup.coolingOff <= LONGEST_COOLING_OFF, BadPhases());

        IPresaleVault presaleVault = IPresaleVault(setup.vault);
        require(presaleVault.presale() == address(this) && presaleVault.usdc() == setup.usdc, WrongVault());
        IClaimModule claims = IClaimModule(setup.claimModule);
        require(claims.presale() == address(this), WrongClaimModule());
        uint256 held = IERC20(claims.token()).balanceOf(setup.claimModule);
        require(held >= caps, ClaimModuleUnderfunded(held, caps));
    }

    /// @inheritdoc IPresale
    function buy(uint256 phaseId, uint256 usdcAmount) external nonReentrant {
        _buy(phaseId, usdcAmount);
    }

    /// @inheritdoc IPresale
    function buyWithPermit(
        uint256 phaseId,
        uint256 usdcAmount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant {
        // A permit can be sent by anyone who sees it; the allowance decides, not who set it.
        try IERC20Permit(usdc).permit(msg.sender, address(this), usdcAmount, deadline, v, r, s) {} catch {}
        _buy(phaseId, usdcAmount);
    }

    /// @inheritdoc IPresale
    function buyWithAuthorization(uint256 phaseId, Authorization calldata authorization)
        external
        nonReentrant
    {
        _record(authorization.from, phaseId, authorization.value);
        IERC3009Signatures(usdc)
            .receiveWithAuthorization(
                authorization.from,
                address(this),
                authorization.value,
                authorization.validAfter,
                authorization.validBefore,
                nonceOf(phaseId, authorization.salt),
                authorization.signature
            );
        IERC20(usdc).safeTransfer(vault, authorization.value);
    }

    /// @inheritdoc IPresale
    function finalize() external nonReentrant {
        require(_endedAt == 0 && block.timestamp >= endsAt(), NotFinished());
        require(block.timestamp >= coolingOffUntil(), CoolingOffUntil(coolingOffUntil()));
        require(_total.usdc >= softCap, SoftCapMissed(_total.usdc, softCap));
        _endedAt = uint64(block.timestamp);
        emit Finalized(_total.usdc, _total.aic);
    }

    /// @inheritdoc IPresale
    function cancel() external nonReentrant {
        bool mayCancel = hasRole(DEFAULT_ADMIN_ROLE, msg.sender) || _missedSoftCap();
        require(_endedAt == 0 && mayCancel, NotCancellable());
        _cancel();
    }

    /// @inheritdoc IPresale
    function refund() external nonReentrant {
        if (_endedAt == 0 && _missedSoftCap()) _cancel();
        require(cancelled || (_endedAt == 0 && block.timestamp >= endsAt()), NotRefundable());
        uint256 amount = _forget(msg.sender);
        require(amount > 0, NothingToRefund());
        emit Refunded(msg.sender, amount);
        IPresaleVault(vault).pay(msg.sender, amount);
    }

    /// @inheritdoc IPresale
    function returnMistaken(address to, uint256 amount) external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        emit MistakenReturned(to, amount);
        IERC20(usdc).safeTransfer(to, amount);
    }

    /// @inheritdoc IPresale
    function nonceOf(uint256 phaseId, bytes32 salt) public pure returns (bytes32) {
        return keccak256(abi.encode(phaseId, salt));
    }

    /// @inheritdoc IPresale
    function state() public view returns (State) {
        if (cancelled) return State.Cancelled;
        if (_endedAt != 0) return State.Finalized;
        if (block.timestamp >= endsAt()) {
            return block.timestamp < coolingOffUntil() ? State.CoolingOff : State.Ended;
        }
        if (_isPaused()) return State.Paused;
        for (uint256 id = 1; id <= phaseCount; ++id) {
            if (_runs(_phases[id])) return State.Open;
        }
        return State.Waiting;
    }

    /// @inheritdoc IPresale
    function phase(uint256 phaseId) external view returns (Phase memory) {
        return _phases[phaseId];
    }

    /// @inheritdoc IPresale
    function quote(uint256 phaseId, uint256 usdcAmount) public view returns (uint256) {
        Phase storage some = _phases[phaseId];
        require(some.price > 0, PhaseClosed(phaseId, 0, 0));
        return Books.aicFor(usdcAmount, some.price);
    }

    /// @inheritdoc IPresale
    function soldIn(uint256 phaseId) external view returns (Sold memory) {
        return _soldIn[phaseId];
    }

    /// @inheritdoc IPresale
    function positionIn(address buyer, uint256 phaseId) external view returns (Sold memory) {
        return _positions[buyer][phaseId];
    }

    /// @inheritdoc IPresale
    function bought(address buyer) external view returns (Sold memory sum) {
        for (uint256 id = 1; id <= phaseCount; ++id) {
            Books.add(sum, _positions[buyer][id]);
        }
    }

    /// @inheritdoc IPresale
    function raised() external view returns (uint256) {
        return _total.usdc;
    }

    /// @inheritdoc IPresale
    function totalSold() external view returns (uint256) {
        return _total.aic;
    }

    /// @inheritdoc IPresale
    function endedAt() external view returns (uint256) {
        return _endedAt;
    }

    /// @inheritdoc IPresale
    function endsAt() public view returns (uint256) {
        return _phases[phaseCount].end;
    }

    /// @inheritdoc IPresale
    function coolingOffUntil() public view returns (uint256) {
        return endsAt() + coolingOff;
    }

    function _buy(uint256 phaseId, uint256 usdcAmount) private {
        _record(msg.sender, phaseId, usdcAmount);
        IERC20(usdc).safeTransferFrom(msg.sender, vault, usdcAmount);
    }

    /// @dev Checks a purchase and writes it into the books. The USDC moves afterwards, in the same transaction.
    function _record(address buyer, uint256 phaseId, uint256 usdcAmount) private {
        State now_ = state();
        require(now_ == State.Open || now_ == State.Waiting, NotOpen(phaseId, now_));
        Phase storage some = _phases[phaseId];
        require(_runs(some), PhaseClosed(phaseId, some.start, some.end));
        uint256 aicAmount = quote(phaseId, usdcAmount);
        uint256 left = some.cap - _soldIn[phaseId].aic;
        require(aicAmount <= left, PhaseSoldOut(phaseId, left));
        bool isLastPiece = usdcAmount > 0 && usdcAmount == Books.worth(left, some.price);
        require(usdcAmount >= minPurchase || isLastPiece, PurchaseTooSmall(minPurchase));
        uint256 leftForWallet = some.walletCap - _positions[buyer][phaseId].usdc;
        require(usdcAmount <= leftForWallet, WalletCapReached(phaseId, leftForWallet));
        Sold memory piece = Sold(aicAmount.toUint128(), usdcAmount.toUint128());
        _positions[buyer][phaseId] = Books.sum(_positions[buyer][phaseId], piece);
        _soldIn[phaseId] = Books.sum(_soldIn[phaseId], piece);
        _total = Books.sum(_total, piece);
        emit Purchased(buyer, phaseId, usdcAmount, aicAmount, msg.sender, lastPurchaseBlock);
        lastPurchaseBlock = block.number;
    }

    /// @dev Takes all purchases of `buyer` out of the books, which frees their capacity. Returns their USDC.
    function _forget(address buyer) private returns (uint256) {
        Sold memory all;
        for (uint256 id = 1; id <= phaseCount; ++id) {
            Sold memory piece = _positions[buyer][id];
            Books.add(all, piece);
            _soldIn[id] = Books.difference(_soldIn[id], piece);
            delete _positions[buyer][id];
        }
        _total = Books.difference(_total, all);
        return all.usdc;
    }

    function _cancel() private {
        cancelled = true;
        _endedAt = uint64(block.timestamp);
        emit Cancelled(msg.sender, _total.usdc);
    }

    /// @dev Returns the sum of all caps, atomic AIC, and what they bring in, atomic USDC.
    function _storePhases(Phase[] memory phases, uint256 smallest)
        private
        returns (uint256 caps, uint256 hardCap)
    {
        require(phases.length > 0 && phases.length <= MAX_PHASES && smallest > 0, BadPhases());
        uint256 previousEnd = 0;
        for (uint256 i = 0; i < phases.length; ++i) {
            Phase memory some = phases[i];
            require(some.start >= previousEnd && some.start < some.end, BadPhases());
            require(some.price > 0 && Books.worth(some.cap, some.price) > 0, BadPhases());
            require(some.walletCap >= smallest, BadPhases());
            previousEnd = some.end;
            caps += some.cap;
            hardCap += Books.worth(some.cap, some.price);
            _phases[i + 1] = some;
        }
        require(previousEnd > block.timestamp && previousEnd <= phases[0].start + LONGEST_SALE, BadPhases());
    }

    function _missedSoftCap() private view returns (bool) {
        return block.timestamp >= endsAt() && _total.usdc < softCap;
    }

    function _runs(Phase storage some) private view returns (bool) {
        return block.timestamp >= some.start && block.timestamp < some.end;
    }
}
