// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC3009, IERC3009Cancel} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {Vm} from "forge-std/Test.sol";
import {Fixture} from "./Fixture.sol";
import {Wallet} from "./mocks/Wallet.sol";

/// @dev Paying with wrapped AIC by signature, by the rules of USDC 2.2.
contract AuthorizationTest is Fixture {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    uint256 private constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    struct Auth {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    Auth private auth;

    function setUp() public override {
        super.setUp();
        _wrapTo(alice.addr, 1_000);
        auth = Auth(alice.addr, bob.addr, 100, block.timestamp - 1, block.timestamp + 60, keccak256("nonce"));
    }

    // --- who signed -----------------------------------------------------------------------------------------

    function test_TransferMovesTheValueOnce() public {
        bytes memory signature = _signed(TRANSFER, alice);
        vm.expectEmit(address(wrapped));
        emit IERC3009.AuthorizationUsed(alice.addr, auth.nonce);
        _transfer(signature);
        assertEq(wrapped.balanceOf(bob.addr), 100);
        assertTrue(wrapped.authorizationState(alice.addr, auth.nonce));

        _expectUsed();
        _transfer(signature);
    }

    function test_TransferTakesVRSToo() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _digest(TRANSFER));
        wrapped.transferWithAuthorization(
            auth.from, auth.to, auth.value, auth.validAfter, auth.validBefore, auth.nonce, v, r, s
        );
        assertEq(wrapped.balanceOf(bob.addr), 100);
    }

    function test_ContractWalletPaysThroughErc1271() public {
        auth.from = address(new Wallet(alice.addr));
        _wrapTo(auth.from, 100);
        _transfer(bytes.concat(_signed(TRANSFER, alice), hex"c0ffee"));
        assertEq(wrapped.balanceOf(bob.addr), 100);
    }

    function test_RevertWhen_AContractWalletRefuses() public {
        auth.from = address(new Wallet(bob.addr));
        _wrapTo(auth.from, 100);
        bytes memory signature = _signed(TRANSFER, alice);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(signature);
    }

    /// @dev EIP-7702: once an account has code, only its code can authorize for it, in either form of the call.
    function test_RevertWhen_AnAccountWithCodeSignsWithItsOldKey() public {
        bytes memory signature = _signed(TRANSFER, alice);
        vm.etch(alice.addr, address(new Wallet(bob.addr)).code);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(signature);

        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _digest(TRANSFER));
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        wrapped.transferWithAuthorization(
            auth.from, auth.to, auth.value, auth.validAfter, auth.validBefore, auth.nonce, v, r, s
        );
    }

    function test_RevertWhen_AnotherSigned() public {
        bytes memory signature = _signed(TRANSFER, bob);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(signature);
    }

    function testFuzz_RevertWhen_AnythingButTheSignedIsSent(uint8 field, uint256 change) public {
        bytes memory signature = _signed(TRANSFER, alice);
        field = uint8(bound(field, 0, 3));
        change = bound(change, 1, 50);
        if (field == 0) auth.value += change;
        else if (field == 1) auth.to = address(uint160(auth.to) + uint160(change));
        else if (field == 2) auth.validBefore += change;
        else auth.nonce = bytes32(uint256(auth.nonce) + change);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(signature);
    }

    // --- how it was signed ----------------------------------------------------------------------------------

    function test_RevertWhen_TheSignatureIsNot65Bytes() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _digest(TRANSFER));
        bytes32 compact = bytes32(uint256(s) | (uint256(v - 27) << 255));
        bytes[4] memory wrong = [
            abi.encodePacked(r, compact), abi.encodePacked(r, s, v, uint8(0)), bytes(""), abi.encodePacked(r)
        ];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
            _transfer(wrong[i]);
        }
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(new bytes(65));
    }

    function test_RevertWhen_SIsHigh() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _digest(TRANSFER));
        bytes32 high = bytes32(CURVE_ORDER - uint256(s));
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(abi.encodePacked(r, high, v == 27 ? uint8(28) : uint8(27)));
    }

    function test_RevertWhen_VIsNeither27Nor28() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _digest(TRANSFER));
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(abi.encodePacked(r, s, v - 27));
    }

    function test_RevertWhen_AReceiveSignatureIsUsedToTransfer() public {
        bytes memory signature = _signed(RECEIVE, alice);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(signature);
    }

    function test_RevertWhen_ATransferSignatureIsUsedToReceive() public {
        bytes memory signature = _signed(TRANSFER, alice);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _receive(bob.addr, signature);
    }

    function test_RevertWhen_SignedForAnotherChain() public {
        bytes memory signature = _signed(TRANSFER, alice);
        vm.chainId(8454);
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        _transfer(signature);
    }

    // --- when -----------------------------------------------------------------------------------------------

    function test_ValidFromTheSecondAfterValidAfter() public {
        auth.validAfter = block.timestamp;
        bytes memory signature = _signed(TRANSFER, alice);
        _expectOutOfTime();
        _transfer(signature);
        skip(1);
        _transfer(signature);
        assertEq(wrapped.balanceOf(bob.addr), 100);
    }

    function test_ValidUntilTheSecondBeforeValidBefore() public {
        auth.validBefore = block.timestamp + 1;
        bytes memory signature = _signed(TRANSFER, alice);
        skip(1);
        _expectOutOfTime();
        _transfer(signature);
        rewind(1);
        _transfer(signature);
        assertEq(wrapped.balanceOf(bob.addr), 100);
    }

    /// @dev Bit 47 would make these block numbers in OpenZeppelin's reading: valid now, while all others say "not yet".
    function test_RevertWhen_TheTimeLooksLikeABlockNumber() public {
        vm.roll(100);
        auth.validAfter = (1 << 47) | 10;
        auth.validBefore = (1 << 47) | 1000;
        bytes memory signature = _signed(TRANSFER, alice);
        _expectOutOfTime();
        _transfer(signature);
    }

    // --- receive, cancel ------------------------------------------------------------------------------------

    function test_ReceiveMovesTheValue() public {
        _receive(bob.addr, _signed(RECEIVE, alice));
        assertEq(wrapped.balanceOf(bob.addr), 100);
    }

    function test_ReceiveTakesVRSToo() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _digest(RECEIVE));
        vm.prank(bob.addr);
        wrapped.receiveWithAuthorization(
            auth.from, auth.to, auth.value, auth.validAfter, auth.validBefore, auth.nonce, v, r, s
        );
        assertEq(wrapped.balanceOf(bob.addr), 100);
    }

    function test_FrontRunning_NobodyElseCanReceive() public {
        bytes memory signature = _signed(RECEIVE, alice);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, bob.addr));
        _receive(makeAddr("thief"), signature);
        assertFalse(wrapped.authorizationState(alice.addr, auth.nonce));
    }

    /// @dev Who sends a transfer first changes nothing but who pays the gas.
    function test_FrontRunning_ATransferGoesToThePayeeWhoeverSendsIt() public {
        bytes memory signature = _signed(TRANSFER, alice);
        vm.prank(makeAddr("thief"));
        _transfer(signature);
        assertEq(wrapped.balanceOf(bob.addr), 100);
        assertEq(wrapped.balanceOf(makeAddr("thief")), 0);
    }

    function test_CancelledNonceCannotPay() public {
        bytes memory signature = _signed(TRANSFER, alice);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, _cancelDigest());
        vm.expectEmit(address(wrapped));
        emit IERC3009Cancel.AuthorizationCanceled(alice.addr, auth.nonce);
        wrapped.cancelAuthorization(alice.addr, auth.nonce, v, r, s);
        _expectUsed();
        _transfer(signature);
        _expectUsed();
        wrapped.cancelAuthorization(alice.addr, auth.nonce, abi.encodePacked(r, s, v));
    }

    function test_RevertWhen_AnotherCancels() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(bob, _cancelDigest());
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        wrapped.cancelAuthorization(alice.addr, auth.nonce, abi.encodePacked(r, s, v));
    }

    function test_RevertWhen_ThePayerHasTooLittle() public {
        auth.value = 1_001;
        bytes memory signature = _signed(TRANSFER, alice);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice.addr, 1_000, 1_001)
        );
        _transfer(signature);
        assertFalse(wrapped.authorizationState(alice.addr, auth.nonce));
    }

    // --- helpers --------------------------------------------------------------------------------------------

    function _digest(bytes32 typehash) private view returns (bytes32) {
        return _typed(
            keccak256(
                abi.encode(
                    typehash, auth.from, auth.to, auth.value, auth.validAfter, auth.validBefore, auth.nonce
                )
            )
        );
    }

    function _cancelDigest() private view returns (bytes32) {
        return _typed(keccak256(abi.encode(CANCEL, auth.from, auth.nonce)));
    }

    function _typed(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", wrapped.DOMAIN_SEPARATOR(), structHash));
    }

    function _signed(bytes32 typehash, Vm.Wallet memory signer) private returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signer, _digest(typehash));
        return abi.encodePacked(r, s, v);
    }

    function _transfer(bytes memory signature) private {
        wrapped.transferWithAuthorization(
            auth.from, auth.to, auth.value, auth.validAfter, auth.validBefore, auth.nonce, signature
        );
    }

    function _receive(address caller, bytes memory signature) private {
        vm.prank(caller);
        wrapped.receiveWithAuthorization(
            auth.from, auth.to, auth.value, auth.validAfter, auth.validBefore, auth.nonce, signature
        );
    }

    function _expectUsed() private {
        vm.expectRevert(
            abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, auth.from, auth.nonce)
        );
    }

    function _expectOutOfTime() private {
        vm.expectRevert(
            abi.encodeWithSelector(
                ERC3009.ERC3009InvalidAuthorizationTime.selector, auth.validAfter, auth.validBefore
            )
        );
    }
}
