// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ERC20Wrapper} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Wrapper.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ERC3009Signatures} from "./ERC3009Signatures.sol";
import {IWrappedAic} from "./interfaces/IWrappedAic.sol";

/// @notice AIC that can be paid with by signature and burned; see {IWrappedAic}.
contract WrappedAic is ERC20Permit, ERC20Wrapper, ERC3009Signatures, IWrappedAic {
    using SafeERC20 for IERC20;

    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;

    /// @inheritdoc IWrappedAic
    uint256 public totalBurned;

    /// @param aic The token that is wrapped.
    constructor(IERC20 aic) ERC20("Wrapped AIC", "wAIC") ERC20Permit("Wrapped AIC") ERC20Wrapper(aic) {
        require(address(aic).code.length > 0, TokenHasNoCode(address(aic)));
    }

    /// @inheritdoc IWrappedAic
    function burn(uint256 amount) external {
        totalBurned += amount;
        _burn(_msgSender(), amount);
        emit Burned(_msgSender(), amount);
        underlying().safeTransfer(DEAD, amount);
    }

    /// @inheritdoc IWrappedAic
    function depositWithPermit(uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        address owner = _msgSender();
        // A permit can be sent by anyone who sees it; the allowance decides, not who set it.
        try IERC20Permit(address(underlying())).permit(owner, address(this), value, deadline, v, r, s) {}
            catch {}
        depositFor(owner, value);
    }

    /// @inheritdoc ERC20Wrapper
    function depositFor(address account, uint256 value) public override returns (bool) {
        super.depositFor(account, value);
        uint256 held = underlying().balanceOf(address(this));
        require(held >= totalSupply(), NotCovered(held, totalSupply()));
        return true;
    }

    /// @inheritdoc IWrappedAic
    function version() external view returns (string memory) {
        return _EIP712Version();
    }

    /// @inheritdoc ERC20Wrapper
    function decimals() public view override(ERC20, ERC20Wrapper) returns (uint8) {
        return ERC20Wrapper.decimals();
    }

    /// @dev As USDC does, refuses its own address as receiver: nothing could ever leave from there.
    function _update(address from, address to, uint256 value) internal override {
        require(to != address(this), ERC20InvalidReceiver(to));
        super._update(from, to, value);
    }
}
