// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IClaimModule} from "./interfaces/IClaimModule.sol";
import {IOperatorVault} from "./interfaces/IOperatorVault.sol";
import {Vesting} from "./Vesting.sol";

/// @notice Holds allocations that an operator spends; see {IOperatorVault}.
abstract contract OperatorVault is IOperatorVault, AccessControlDefaultAdminRules {
    using SafeERC20 for IERC20;

    uint256 private constant LONGEST_NOTICE = 30 days;

    /// @dev The address of the token is computed before it is deployed.
    struct Setup {
        address admin;
        uint48 adminDelay;
        address operator;
        address aic;
        address claimModule;
        uint32 notice;
    }

    /// @inheritdoc IOperatorVault
    address public immutable aic;
    /// @inheritdoc IOperatorVault
    address public immutable claimModule;
    /// @inheritdoc IOperatorVault
    bytes32 public immutable operatorRole;
    /// @inheritdoc IOperatorVault
    uint256 public immutable notice;
    /// @inheritdoc IOperatorVault
    uint256 public immutable deployedAtBlock = block.number;
    Schedule[] private _schedules;
    /// @inheritdoc IOperatorVault
    mapping(address account => uint256) public payeeFrom;
    /// @inheritdoc IOperatorVault
    mapping(address account => uint256) public operatorFrom;

    constructor(bytes32 role, Setup memory setup, Schedule[] memory all)
        AccessControlDefaultAdminRules(setup.adminDelay, setup.admin)
    {
        (aic, claimModule, operatorRole, notice) = (setup.aic, setup.claimModule, role, setup.notice);
        require(setup.notice <= LONGEST_NOTICE, BadSchedule());
        for (uint256 i = 0; i < all.length; ++i) {
            require(Vesting.isSound(all[i].tgeBps, all[i].cliff, all[i].duration), BadSchedule());
            _schedules.push(all[i]);
        }
        _grantRole(role, setup.operator);
    }

    /// @inheritdoc IOperatorVault
    function spend(IERC20 token, address to, uint256 amount, bytes32 memo) external onlyRole(operatorRole) {
        uint256 from = operatorFrom[msg.sender];
        require(block.timestamp >= from, NotYet(from));
        require(isPayee(to), NotAPayee(to));
        if (address(token) == aic) {
            uint256 free = releasable();
            require(amount <= free, StillLocked(free, amount));
        }
        emit Spent(address(token), to, amount, memo);
        token.safeTransfer(to, amount);
    }

    /// @inheritdoc IOperatorVault
    function setPayee(address payee, bool allowed) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (!allowed) delete payeeFrom[payee];
        else if (payeeFrom[payee] == 0) payeeFrom[payee] = block.timestamp + notice;
        emit PayeeSet(payee, allowed);
    }

    /// @inheritdoc IOperatorVault
    function isPayee(address account) public view returns (bool) {
        uint256 from = payeeFrom[account];
        return from != 0 && block.timestamp >= from;
    }

    /// @inheritdoc IOperatorVault
    function releasable() public view returns (uint256) {
        if (block.timestamp < IClaimModule(claimModule).pausedUntil()) return 0;
        return Math.saturatingSub(IERC20(aic).balanceOf(address(this)), lockedAt(block.timestamp));
    }

    /// @inheritdoc IOperatorVault
    function lockedAt(uint256 time) public view returns (uint256 locked) {
        uint256 tge = IClaimModule(claimModule).tge();
        for (uint256 i = 0; i < _schedules.length; ++i) {
            Schedule memory some = _schedules[i];
            locked += some.amount
            - Vesting.vested(some.amount, tge, some.tgeBps, some.cliff, some.duration, time);
        }
    }

    /// @inheritdoc IOperatorVault
    function schedules() external view returns (Schedule[] memory) {
        return _schedules;
    }

    /// @dev The constructor of the base grants the admin's role before `operatorRole` has its value.
    function _grantRole(bytes32 role, address account) internal override returns (bool isNew) {
        isNew = super._grantRole(role, account);
        if (isNew && role == operatorRole && role != DEFAULT_ADMIN_ROLE) {
            operatorFrom[account] = block.timestamp + notice;
        }
    }

    function _revokeRole(bytes32 role, address account) internal override returns (bool) {
        if (role == operatorRole) delete operatorFrom[account];
        return super._revokeRole(role, account);
    }
}
