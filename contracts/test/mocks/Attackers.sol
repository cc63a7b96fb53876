// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAicStaking} from "../../src/interfaces/IAicStaking.sol";
import {ITokenHook} from "./Tokens.sol";

/// @dev Calls back into a contract from inside a token's transfer, and remembers how that ended.
contract Reentrant is ITokenHook {
    address private _target;
    bytes private _attack;
    bytes private _observe;

    bool public attacked;
    bool public succeeded;
    bytes public failure;
    bytes public observed;

    function arm(address target, bytes calldata attack, bytes calldata observe) external {
        (_target, _attack, _observe) = (target, attack, observe);
        (attacked, succeeded) = (false, false);
    }

    function run(address target, bytes calldata call) external {
        (bool ok, bytes memory answer) = target.call(call);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function tokenMoved(address, address) external {
        if (_target == address(0) || attacked) return;
        attacked = true;
        (, observed) = _target.staticcall(_observe);
        (succeeded, failure) = _target.call(_attack);
    }
}

/// @dev Lends its tokens for the length of one call.
contract FlashLender {
    function lend(IERC20 token, uint256 amount, FlashStaker borrower) external {
        uint256 before = token.balanceOf(address(this));
        token.transfer(address(borrower), amount);
        borrower.onLoan(token, amount);
        require(token.balanceOf(address(this)) >= before, "loan not repaid");
    }
}

/// @dev Stakes borrowed tokens and tries to have them back in the same transaction.
contract FlashStaker {
    IAicStaking private immutable _staking;
    bool private immutable _withdraws;

    constructor(IAicStaking staking, bool withdraws) {
        (_staking, _withdraws) = (staking, withdraws);
    }

    function onLoan(IERC20 token, uint256 amount) external {
        token.approve(address(_staking), amount);
        _staking.stake(amount);
        _staking.unstake(amount);
        if (_withdraws) _staking.withdraw();
        token.transfer(msg.sender, token.balanceOf(address(this)));
    }
}
