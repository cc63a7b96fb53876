// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice The ERC-3009 calls with the signature as one byte string, as USDC 2.2 has them. Contract wallets
/// (ERC-1271) can only be paid from through these: their signatures are not always 65 bytes long.
/// @dev An account without code must give exactly 65 bytes (`r`, `s`, `v` with `v` 27 or 28 and a low `s`). An account
/// with code is only ever asked through ERC-1271, also when it was an ordinary account before (EIP-7702).
interface IERC3009Signatures {
    /// @notice Moves `value` from `from` to `to` because `from` signed a `TransferWithAuthorization`. Anyone may call.
    /// @param from Payer, who signed.
    /// @param to Payee.
    /// @param value Atomic units.
    /// @param validAfter Unix seconds; the block's time must be later.
    /// @param validBefore Unix seconds; the block's time must be earlier.
    /// @param nonce Any 32 bytes that `from` has neither used nor cancelled; random ones are best.
    /// @param signature Of the EIP-712 message, by `from`.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;

    /// @notice As {transferWithAuthorization} for a signed `ReceiveWithAuthorization`; only `to` may call, so that a
    /// contract which acts on the payment cannot be front-run.
    /// @param from Payer, who signed.
    /// @param to Payee and caller.
    /// @param value Atomic units.
    /// @param validAfter Unix seconds; the block's time must be later.
    /// @param validBefore Unix seconds; the block's time must be earlier.
    /// @param nonce Any 32 bytes that `from` has neither used nor cancelled.
    /// @param signature Of the EIP-712 message, by `from`.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;

    /// @notice Spends `nonce` without a transfer because `authorizer` signed a `CancelAuthorization`. Anyone may call.
    /// @param authorizer Who signed.
    /// @param nonce The nonce that can no longer be used.
    /// @param signature Of the EIP-712 message, by `authorizer`.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) external;
}
