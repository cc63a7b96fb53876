// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IPaymentBatch} from "./interfaces/IPaymentBatch.sol";

/// @dev The form of ERC-3009 that tokens with and without ERC-1271 have.
interface IERC3009 {
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @notice Settles payments of accounts without code; see {IPaymentBatch}.
contract PaymentBatch is IPaymentBatch {
    /// @inheritdoc IPaymentBatch
    uint256 public constant ENTRY_GAS = 90_000;

    /// @dev A call gets at most 63/64 of the gas that is left (EIP-150), and the rest of the payment needs gas too.
    uint256 private constant NEEDED_GAS = ENTRY_GAS * 64 / 63 + 6_000;

    /// @inheritdoc IPaymentBatch
    address public immutable payee;
    address private immutable _token0;
    address private immutable _token1;
    address private immutable _token2;
    address private immutable _token3;

    /// @param payee_ Receives every payment.
    /// @param tokens_ One to four tokens that can be paid with.
    constructor(address payee_, address[] memory tokens_) {
        uint256 count = tokens_.length;
        require(payee_ != address(0), ZeroPayee());
        require(count > 0 && count <= 4, WrongTokenCount(count));
        for (uint256 i = 0; i < count; ++i) {
            require(tokens_[i].code.length > 0, NotAToken(tokens_[i]));
        }
        payee = payee_;
        _token0 = tokens_[0];
        _token1 = count > 1 ? tokens_[1] : address(0);
        _token2 = count > 2 ? tokens_[2] : address(0);
        _token3 = count > 3 ? tokens_[3] : address(0);
    }

    /// @inheritdoc IPaymentBatch
    function settle(Payment[] calldata payments) external returns (Result[] memory results) {
        uint256 count = payments.length;
        results = new Result[](count);
        for (uint256 i = 0; i < count; ++i) {
            Payment calldata payment = payments[i];
            Result result = _refusalOf(payment);
            if (result == Result.Paid) {
                require(gasleft() >= NEEDED_GAS, NotEnoughGas(i));
                if (!_transfer(payment)) result = Result.Failed;
            }
            results[i] = result;
            emit Tried(payment.token, payment.from, payment.nonce, result);
        }
    }

    /// @inheritdoc IPaymentBatch
    function tokens() external view returns (address[] memory all) {
        address[4] memory slots = [_token0, _token1, _token2, _token3];
        uint256 count = 1;
        while (count < 4 && slots[count] != address(0)) ++count;
        all = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            all[i] = slots[i];
        }
    }

    /// @dev Why the token is not called; `Paid` when it is.
    function _refusalOf(Payment calldata payment) private view returns (Result) {
        if (payment.from.code.length > 0) return Result.PayerHasCode;
        address token = payment.token;
        bool isAllowed = token == _token0 || token == _token1 || token == _token2 || token == _token3;
        return isAllowed && token != address(0) ? Result.Paid : Result.TokenNotAllowed;
    }

    /// @dev Whether the token took the call. What it returns is not copied.
    function _transfer(Payment calldata payment) private returns (bool ok) {
        address token = payment.token;
        bytes memory data = abi.encodeCall(
            IERC3009.transferWithAuthorization,
            (
                payment.from,
                payee,
                payment.value,
                payment.validAfter,
                payment.validBefore,
                payment.nonce,
                payment.v,
                payment.r,
                payment.s
            )
        );
        assembly ("memory-safe") {
            ok := call(ENTRY_GAS, token, 0, add(data, 0x20), mload(data), 0, 0)
        }
    }
}
