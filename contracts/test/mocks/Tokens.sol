// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev Mints to anyone and burns the caller's own.
contract PlainToken is ERC20("Plain", "PLN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(uint256 amount) external virtual {
        _burn(msg.sender, amount);
    }
}

/// @dev Keeps one percent of every transfer.
contract FeeToken is PlainToken {
    function _update(address from, address to, uint256 value) internal override {
        uint256 fee = from == address(0) || to == address(0) ? 0 : value / 100;
        super._update(from, to, value - fee);
        if (fee > 0) super._update(from, address(0xFEE), fee);
    }
}

/// @dev Keeps all of every transfer.
contract GreedyToken is PlainToken {
    function _update(address from, address to, uint256 value) internal override {
        super._update(from, from == address(0) ? to : address(0xFEE), value);
    }
}

/// @dev Says it burned and did not.
contract UnburnableToken is PlainToken {
    function burn(uint256) external override {}
}

/// @dev Returns `false` instead of reverting when `refuses` is set.
contract FalseToken is PlainToken {
    bool public refuses;

    function setRefuses(bool refuses_) external {
        refuses = refuses_;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        return refuses ? false : super.transfer(to, value);
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return refuses ? false : super.transferFrom(from, to, value);
    }
}

/// @dev Answers nothing at all, as the oldest tokens do, and refuses to move or burn nothing.
contract SilentToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function burn(uint256 amount) external {
        require(amount > 0, "nothing to burn");
        balanceOf[msg.sender] -= amount;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "approve to zero first");
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(amount > 0, "nothing to move");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

interface ITokenHook {
    function tokenMoved(address from, address to) external;
}

/// @dev Calls a hook in the middle of every transfer, before the balances change.
contract HookToken is PlainToken {
    ITokenHook public hook;

    function setHook(ITokenHook hook_) external {
        hook = hook_;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (address(hook) != address(0)) hook.tokenMoved(from, to);
        super._update(from, to, value);
    }
}
