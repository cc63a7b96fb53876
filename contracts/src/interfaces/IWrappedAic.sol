// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Burnable} from "./IERC20Burnable.sol";

/// @notice AIC in a form that can be paid with by signature (ERC-3009) and burned, which AIC itself cannot.
/// One wrapped token represents one AIC held here; wrapping and unwrapping are open to everyone, at par, without a fee.
/// @dev `totalSupply() + totalBurned()` is the AIC that was deposited and not withdrawn. AIC sent here directly comes on
/// top of it, has no owner and cannot leave. There is no owner and nothing can be changed or paused.
interface IWrappedAic is IERC20Burnable {
    /// @notice `amount` wrapped tokens of `account` were burned; as much AIC stays locked here for ever.
    /// @param account Who burned their tokens.
    /// @param amount Atomic units.
    event Burned(address indexed account, uint256 amount);

    /// @notice The underlying token took a part of the deposit for itself, so that the wrapped tokens would not be
    /// covered. AIC has no such fee.
    /// @param held Underlying tokens held after the deposit.
    /// @param needed Wrapped supply and burned tokens after the deposit.
    error NotCovered(uint256 held, uint256 needed);

    /// @notice Burns the caller's wrapped tokens. The AIC beneath them stays in this contract for good.
    /// @param amount Atomic units.
    function burn(uint256 amount) external;

    /// @notice All AIC taken out of circulation here so far.
    /// @return Atomic units.
    function totalBurned() external view returns (uint256);

    /// @notice Version of the EIP-712 domain.
    /// @return Always `1`.
    function version() external view returns (string memory);
}
