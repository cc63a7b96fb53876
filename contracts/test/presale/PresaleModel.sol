// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {PresaleContracts} from "../../script/PresalePlan.sol";
import {OperatorVault} from "../../src/presale/OperatorVault.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {IFiatToken} from "../circle/CircleUsdc.sol";

/// @dev What a random history counts by itself, and never reads from the contracts: who paid what, when the sale became final,
/// and since when someone is a payee or an operator. The rules are compared with these counts.
abstract contract PresaleModel is CommonBase, StdUtils {
    uint256 internal constant COOLING_OFF = 14 days;
    uint256 internal constant NOTICE = 72 hours;
    uint256 internal constant ALL_FREE_AFTER = 210 days;

    PresaleContracts internal _made;
    IFiatToken internal immutable _usdc;
    address internal immutable _admin;
    uint256 internal immutable _end;
    address[] public buyers = [address(0xB1), address(0xB2), address(0xB3), address(0xB4)];
    address[] internal _payees = [address(0xFE1), address(0xFE2), address(0xFE3)];
    address[] internal _operators;
    OperatorVault[4] internal _all;

    uint256 public paidIn;
    uint256 public paidBack;
    uint256 public finalizedAt;
    /// USDC that was in the sale when it became final.
    uint256 public raisedAtTheEnd;
    bool public isCancelled;
    /// Payments by an operator who was granted the role after the deployment.
    uint256 public spentByNewOperators;
    mapping(address buyer => uint256) internal _paid;
    mapping(OperatorVault vault => mapping(address payee => uint256)) internal _payeeSince;
    mapping(OperatorVault vault => mapping(address operator => uint256)) internal _operatorSince;
    uint256 private immutable _deployedAt = block.timestamp;

    struct Books {
        IPresale.State state;
        uint256 raised;
        uint256 sold;
        uint256[4] positions;
    }

    constructor(PresaleContracts memory made, IFiatToken usdc, address admin, address operator) {
        (_made, _usdc, _admin) = (made, usdc, admin);
        _end = made.presale.phase(3).end;
        _all = [OperatorVault(made.liquidityVault), made.devVault, made.teamVault, made.marketingVault];
        _operators = [operator, address(0x0FE2), address(0x0FE3)];
        for (uint256 i = 0; i < 4; ++i) {
            _operatorSince[_all[i]][operator] = block.timestamp;
        }
        for (uint256 i = 0; i < buyers.length; ++i) {
            vm.prank(buyers[i]);
            usdc.approve(address(made.presale), type(uint256).max);
        }
    }

    /// @dev Invariant 2: from the end on no position grows, raised and sold only fall, and no state comes back.
    modifier onlyFallsAfterTheEnd() {
        Books memory before = _books();
        bool wasOver = block.timestamp >= _end || isCancelled;
        _;
        if (!wasOver) return;
        Books memory now_ = _books();
        require(now_.state >= before.state, "a state came back");
        bool isFinal = before.state >= IPresale.State.Finalized;
        require(!isFinal || now_.state == before.state, "a final state changed");
        require(now_.raised <= before.raised && now_.sold <= before.sold, "the sale grew after its end");
        for (uint256 i = 0; i < 4; ++i) {
            require(now_.positions[i] <= before.positions[i], "a position grew after the end");
        }
    }

    function _books() internal view returns (Books memory books) {
        books.state = _made.presale.state();
        (books.raised, books.sold) = (_made.presale.raised(), _made.presale.totalSold());
        for (uint256 i = 0; i < 4; ++i) {
            books.positions[i] = _made.presale.bought(buyers[i]).aic;
        }
    }

    function _isFinal() internal view returns (bool) {
        return finalizedAt != 0 || isCancelled;
    }

    function _reachesSoftCap() internal view returns (bool) {
        return paidIn - paidBack >= 500_000e6;
    }

    /// @dev Time and money alone decide, no pause.
    function _canFinalize() internal view returns (bool) {
        return !_isFinal() && block.timestamp >= _end + COOLING_OFF && _reachesSoftCap();
    }

    function _canLeave() internal view returns (bool) {
        return isCancelled || (finalizedAt == 0 && block.timestamp >= _end);
    }

    function _claimsArePaused() internal view returns (bool) {
        return block.timestamp < _made.claimModule.pausedUntil();
    }

    /// @dev The fuzzer's numbers are mostly small or round. So most are spread evenly here, and the others are taken as they are.
    function _spread(uint256 any, uint256 min, uint256 max) internal pure returns (uint256) {
        return
            _isOneIn(4, any) ? bound(any, min, max) : min + uint256(keccak256(abi.encode(any))) % (max - min);
    }

    function _isOneIn(uint256 count, uint256 any) internal pure returns (bool) {
        return uint256(keccak256(abi.encode(any))) % count == 0;
    }

    function sumOfPositions(uint256 phaseId) external view returns (uint256 aic, uint256 usdc) {
        for (uint256 i = 0; i < buyers.length; ++i) {
            IPresale.Sold memory some = _made.presale.positionIn(buyers[i], phaseId);
            (aic, usdc) = (aic + some.aic, usdc + some.usdc);
        }
    }
}
