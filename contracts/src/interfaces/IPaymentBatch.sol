// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice Moves many signed ERC-3009 payments to one payee in one transaction. Each payment is checked inside the
/// transaction, so that no payer can use the gas of the others.
/// @dev Everyone may call. A payment moves only what its payer signed, and only to `payee`. Nothing can be changed. The
/// contract has no owner and never holds a token.
interface IPaymentBatch {
    /// @notice What became of a payment.
    enum Result {
        /// The token took the call; its own events say what moved.
        Paid,
        /// The payer has code now, so the token would run it. The token was not called.
        PayerHasCode,
        /// The token is not one of `tokens()`. It was not called.
        TokenNotAllowed,
        /// The token refused the payment, or it needed more than `ENTRY_GAS`.
        Failed
    }

    /// @notice A `TransferWithAuthorization` to `payee`, signed by an account without code.
    struct Payment {
        address token;
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice A payment was tried. A `Paid` one follows the events of its token.
    /// @param token Its token.
    /// @param from Its payer.
    /// @param nonce The authorization's.
    /// @param result What became of it.
    event Tried(address token, address from, bytes32 nonce, Result result);

    /// @notice The payee given to the constructor is the zero address.
    error ZeroPayee();

    /// @notice The constructor takes one to four tokens.
    /// @param count How many were given.
    error WrongTokenCount(uint256 count);

    /// @notice An address given as a token has no code.
    /// @param token The address.
    error NotAToken(address token);

    /// @notice The transaction's gas does not reach for a full call of this payment and those after it.
    /// @param index The payment's place, from 0.
    error NotEnoughGas(uint256 index);

    /// @notice Tries each payment once, in their order. One that fails changes nothing for the others. Reverts only when
    /// the transaction's gas is too little.
    /// @param payments The payments.
    /// @return results What became of each, in their order.
    function settle(Payment[] calldata payments) external returns (Result[] memory results);

    /// @notice Who receives every payment.
    /// @return Its address.
    function payee() external view returns (address);

    /// @notice The tokens that can be paid with.
    /// @return One to four addresses.
    function tokens() external view returns (address[] memory);

    /// @notice The most gas that the token's call of one payment gets.
    /// @return Gas.
    function ENTRY_GAS() external view returns (uint256);
}
