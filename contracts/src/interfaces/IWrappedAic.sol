// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Burnable} from "./IERC20Burnable.sol";

/// @notice AIC in a form that can be paid with by signature (ERC-3009) and burned, which AIC itself cannot.
/// One wrapped token represents one AIC held here; wrapping and unwrapping are open to everyone, at par, without a fee.
/// @dev `totalSupply()` is the AIC that was deposited and neither withdrawn nor burned; all of it is held here. AIC sent
/// here directly comes on top of it, has no owner and cannot leave. There is no owner and nothing can be changed or paused.
interface IWrappedAic is IERC20Burnable {
    /// @notice `amount` wrapped tokens of `account` were burned; as much AIC went to `0x…dEaD`, for which there is no key.
    /// @param account Who burned their tokens.
    /// @param amount Atomic units.
    event Burned(address indexed account, uint256 amount);

    /// @notice The underlying token took a part of the deposit for itself, so that the wrapped tokens would not be
    /// covered. AIC has no such fee.
    /// @param held Underlying tokens held after the deposit.
    /// @param needed Wrapped supply after the deposit.
    error NotCovered(uint256 held, uint256 needed);

    /// @notice There is no contract at the address of the token given to the constructor.
    /// @param token Its address.
    error TokenHasNoCode(address token);

    /// @notice Burns the caller's wrapped tokens and sends the AIC beneath them to `0x000000000000000000000000000000000000dEaD`,
    /// which block explorers and market data sites subtract from the supply.
    /// @param amount Atomic units.
    function burn(uint256 amount) external;

    /// @notice Wraps `value` of the caller's AIC for the caller, with an EIP-2612 permit of AIC instead of an approval. A
    /// permit that another account sent first does no harm: its approval is used.
    /// @param value Atomic units, wrapped and permitted.
    /// @param deadline Unix seconds until which the permit may be used.
    /// @param v Of the permit's signature.
    /// @param r Of the permit's signature.
    /// @param s Of the permit's signature.
    function depositWithPermit(uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice All AIC taken out of circulation here so far.
    /// @return Atomic units.
    function totalBurned() external view returns (uint256);

    /// @notice Version of the EIP-712 domain.
    /// @return Always `1`.
    function version() external view returns (string memory);
}
