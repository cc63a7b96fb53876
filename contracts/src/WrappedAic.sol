// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Wrapper} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Wrapper.sol";
import {ERC3009Signatures} from "./ERC3009Signatures.sol";
import {IWrappedAic} from "./interfaces/IWrappedAic.sol";

/// @notice AIC that can be paid with by signature and burned; see {IWrappedAic}.
contract WrappedAic is ERC20Permit, ERC20Wrapper, ERC3009Signatures, IWrappedAic {
    /// @inheritdoc IWrappedAic
    uint256 public totalBurned;

    /// @param aic The token that is wrapped.
    constructor(IERC20 aic) ERC20("Wrapped AIC", "wAIC") ERC20Permit("Wrapped AIC") ERC20Wrapper(aic) {}

    /// @inheritdoc IWrappedAic
    function burn(uint256 amount) external {
        totalBurned += amount;
        _burn(_msgSender(), amount);
        emit Burned(_msgSender(), amount);
    }

    /// @inheritdoc ERC20Wrapper
    function depositFor(address account, uint256 value) public override returns (bool) {
        super.depositFor(account, value);
        uint256 held = underlying().balanceOf(address(this));
        uint256 needed = totalSupply() + totalBurned;
        require(held >= needed, NotCovered(held, needed));
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
}
