// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Vm} from "forge-std/Test.sol";
import {AicToken} from "../../src/AicToken.sol";
import {WrappedAic} from "../../src/WrappedAic.sol";
import {CircleUsdc, IFiatToken} from "./CircleUsdc.sol";

/// @dev Wrapped AIC and Circle's own bytecode get the same authorization, each signed for its own domain. Both must accept
/// or refuse it, move the same amount and have the same nonce state afterwards.
contract DifferentialTest is CircleUsdc {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    uint256 private constant BALANCE = 1_000;

    /// @dev Each field of a case is one way in which an authorization can be good, at a bound, or wrong.
    struct Case {
        bool receives;
        bool signsOtherType;
        bool wrongSigner;
        bool anotherCalls;
        uint8 value;
        uint8 validAfter;
        uint8 validBefore;
        uint8 v;
        uint8 length;
        uint8 payee;
        bool twice;
    }

    WrappedAic private _wrapped;
    Vm.Wallet private _payer = vm.createWallet("payer");
    Vm.Wallet private _other = vm.createWallet("other");
    address private _payee = makeAddr("payee");

    function setUp() public {
        vm.warp(1_800_000_000);
        _installUsdc("USD Coin");
        AicToken.Allocation[] memory all = new AicToken.Allocation[](1);
        all[0] = AicToken.Allocation(address(this), 1e27);
        AicToken aic = new AicToken(all);
        _wrapped = new WrappedAic(aic);
        aic.approve(address(_wrapped), BALANCE);
        _wrapped.depositFor(_payer.addr, BALANCE);
        usdc.mint(_payer.addr, BALANCE);
    }

    function testFuzz_TheSameVerdictAndNonceStateAsCircle(Case memory some, bytes32 nonce) public {
        for (uint256 i = 0; i < (some.twice ? 2 : 1); ++i) {
            bool ours = _send(IFiatToken(address(_wrapped)), some, nonce);
            bool circles = _send(usdc, some, nonce);
            assertEq(ours, circles, "verdict");
        }
        assertEq(_wrapped.balanceOf(_payer.addr), usdc.balanceOf(_payer.addr), "balance");
        assertEq(
            _wrapped.authorizationState(_payer.addr, nonce),
            usdc.authorizationState(_payer.addr, nonce),
            "nonce state"
        );
    }

    /// @dev The cases reach both verdicts: a good one is accepted, also at its bounds, and one wrong thing refuses it.
    function test_GoodAndWrongCasesAreWhatTheySay() public {
        Case memory good;
        (good.value, good.v, good.length) = (3, 1, 1);
        assertTrue(_send(usdc, good, "a"));
        good.receives = true;
        assertTrue(_send(usdc, good, "b"));
        good.wrongSigner = true;
        assertFalse(_send(usdc, good, "c"));
    }

    struct Terms {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    function _send(IFiatToken token, Case memory some, bytes32 nonce) private returns (bool accepted) {
        Terms memory terms = _termsOf(token, some, nonce);
        bytes memory encoded = abi.encode(terms);
        bytes32 typehash = some.receives != some.signsOtherType ? RECEIVE : TRANSFER;
        bytes memory signature = _sign(token, some, keccak256(bytes.concat(typehash, encoded)));
        // Both calls take the same arguments: the terms, then the signature, whose place is the seventh word.
        bytes4 selector = some.receives
            ? token.receiveWithAuthorization.selector
            : token.transferWithAuthorization.selector;
        bytes memory tail = abi.encode(signature);
        assembly ("memory-safe") {
            mstore(add(tail, 0x20), 0xe0)
        }
        vm.prank(some.anotherCalls ? _other.addr : terms.to);
        (accepted,) = address(token).call(bytes.concat(selector, encoded, tail));
    }

    function _termsOf(IFiatToken token, Case memory some, bytes32 nonce)
        private
        view
        returns (Terms memory terms)
    {
        terms.from = _payer.addr;
        terms.to = _payeeOf(token, some);
        terms.value = [uint256(0), 1, BALANCE + 1, 300, BALANCE, type(uint256).max][some.value % 6];
        uint256 time = block.timestamp;
        terms.validAfter = [time - 1, time, time + 1, 0, 1 << 47, type(uint256).max][some.validAfter % 6];
        terms.validBefore =
            [time + 1, time, time - 1, type(uint256).max, (uint256(1) << 47) | 1000, 0][some.validBefore % 6];
        terms.nonce = nonce;
    }

    function _payeeOf(IFiatToken token, Case memory some) private view returns (address) {
        return [_payee, _payee, _payer.addr, address(0), address(token), _payee][some.payee % 6];
    }

    function _sign(IFiatToken token, Case memory some, bytes32 structHash) private returns (bytes memory) {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(some.wrongSigner ? _other : _payer, digest);
        if (some.v % 4 == 0) v = some.v;
        bytes memory signature = abi.encodePacked(r, s, v);
        if (some.length % 4 != 0) return signature;
        bytes memory cut = new bytes(some.length);
        for (uint256 i = 0; i < cut.length && i < 65; ++i) {
            cut[i] = signature[i];
        }
        return cut;
    }
}
