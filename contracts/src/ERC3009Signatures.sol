// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IERC3009Signatures} from "./interfaces/IERC3009Signatures.sol";

/// @dev OpenZeppelin's ERC-3009 with USDC 2.2's view of signatures and time: the calls with `v, r, s` pass their
/// signature on as a byte string, contract wallets are asked through ERC-1271, and validity is in seconds only.
abstract contract ERC3009Signatures is ERC3009, IERC3009Signatures {
    /// @inheritdoc IERC3009Signatures
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        _checkSignature(
            from,
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce),
            signature
        );
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @inheritdoc IERC3009Signatures
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        require(to == _msgSender(), ERC20InvalidReceiver(to));
        _checkSignature(
            from,
            abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce),
            signature
        );
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @inheritdoc IERC3009Signatures
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        _checkSignature(authorizer, abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce), signature);
        _cancelAuthorization(authorizer, nonce);
    }

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
    ) public override {
        bytes memory signature = abi.encodePacked(r, s, v);
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        bytes memory signature = abi.encodePacked(r, s, v);
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
        public
        override
    {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// @dev The base contract reads values with bit 47 set as block numbers. ERC-3009, USDC and every x402 implementation
    /// read seconds; a payment must mean the same to all of them.
    function _checkValidity(uint256 validAfter, uint256 validBefore) internal view override {
        require(
            block.timestamp > validAfter && block.timestamp < validBefore,
            ERC3009InvalidAuthorizationTime(validAfter, validBefore)
        );
    }

    function _checkSignature(address signer, bytes memory encoded, bytes memory signature) private view {
        bytes32 digest = _hashTypedDataV4(keccak256(encoded));
        require(SignatureChecker.isValidSignatureNow(signer, digest, signature), ERC3009InvalidSignature());
    }
}
