// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Vm} from "forge-std/Test.sol";
import {PaymentBatch} from "../src/PaymentBatch.sol";
import {IPaymentBatch} from "../src/interfaces/IPaymentBatch.sol";
import {CircleUsdc} from "./circle/CircleUsdc.sol";
import {Burner, EndlessToken} from "./mocks/GasBurners.sol";

/// @dev Payments through the batch contract, with Circle's own bytecode as the token.
contract PaymentBatchTest is CircleUsdc {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    /// @dev What the facilitator allows: `gasBound` in `payment-call.ts`.
    uint256 private constant BASE_GAS = 60_000;
    uint256 private constant GAS_OF_AN_ENTRY = 100_000;

    PaymentBatch private _batch;
    address private _payee = makeAddr("payee");
    Vm.Wallet private _alice = vm.createWallet("alice");
    Vm.Wallet private _bob = vm.createWallet("bob");

    function setUp() public {
        vm.warp(1_800_000_000);
        _installUsdc("USD Coin");
        usdc.mint(_alice.addr, 1_000);
        usdc.mint(_bob.addr, 1_000);
        _batch = new PaymentBatch(_payee, _list(address(usdc)));
    }

    function test_PaysEachAndSaysSo() public {
        IPaymentBatch.Payment[] memory payments = _pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b"));
        vm.expectEmit(address(_batch));
        emit IPaymentBatch.Tried(address(usdc), _alice.addr, "a", IPaymentBatch.Result.Paid);
        vm.expectEmit(address(_batch));
        emit IPaymentBatch.Tried(address(usdc), _bob.addr, "b", IPaymentBatch.Result.Paid);
        IPaymentBatch.Result[] memory results = _batch.settle(payments);
        assertEq(results.length, 2);
        assertEq(usdc.balanceOf(_payee), 300);
        assertEq(usdc.balanceOf(address(_batch)), 0);
        assertTrue(usdc.authorizationState(_alice.addr, "a"));
    }

    function test_ReadsBackWhatItWasMadeWith() public {
        address[] memory four = new address[](4);
        for (uint256 i = 0; i < 4; ++i) {
            four[i] = address(new Burner());
        }
        PaymentBatch all = new PaymentBatch(_payee, four);
        assertEq(all.payee(), _payee);
        assertEq(all.tokens(), four);
        assertEq(_batch.tokens(), _list(address(usdc)));
        assertEq(all.ENTRY_GAS(), 90_000);
    }

    function test_NoPaymentsAreNothing() public {
        assertEq(_batch.settle(new IPaymentBatch.Payment[](0)).length, 0);
    }

    /// @dev EIP-7702: the payer was plain when it was checked, and has code in the block.
    function test_APayerWithCodeIsNeverAsked() public {
        vm.etch(_alice.addr, address(new Burner()).code);
        IPaymentBatch.Payment[] memory payments = _pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b"));
        uint256 before = gasleft();
        IPaymentBatch.Result[] memory results = _batch.settle(payments);
        assertLt(before - gasleft(), 150_000);
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.PayerHasCode));
        assertEq(uint8(results[1]), uint8(IPaymentBatch.Result.Paid));
        assertEq(usdc.balanceOf(_payee), 200);
    }

    /// @dev The same by a real delegation: the account has 23 bytes of code.
    function test_ADelegationIsCode() public {
        vm.signAndAttachDelegation(address(new Burner()), _alice.privateKey);
        IPaymentBatch.Result[] memory results =
            _batch.settle(_pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b")));
        assertEq(_alice.addr.code.length, 23);
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.PayerHasCode));
        assertEq(uint8(results[1]), uint8(IPaymentBatch.Result.Paid));
    }

    function test_AnotherTokenIsNotCalled() public {
        EndlessToken other = new EndlessToken();
        IPaymentBatch.Payment[] memory payments = _pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b"));
        payments[0].token = address(other);
        payments[1].token = address(0);
        IPaymentBatch.Result[] memory results = _batch.settle(payments);
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.TokenNotAllowed));
        assertEq(uint8(results[1]), uint8(IPaymentBatch.Result.TokenNotAllowed));
        assertEq(usdc.balanceOf(_payee), 0);
    }

    /// @dev What was signed for another payee cannot be paid here, and stays unused.
    function test_AnotherPayeesAuthorizationFails() public {
        PaymentBatch others = new PaymentBatch(makeAddr("another"), _list(address(usdc)));
        IPaymentBatch.Result[] memory results =
            others.settle(_pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b")));
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.Failed));
        assertFalse(usdc.authorizationState(_alice.addr, "a"));
        assertEq(usdc.balanceOf(makeAddr("another")), 0);
    }

    function test_OneThatFailsChangesNothingForTheOthers() public {
        usdc.blacklist(_alice.addr);
        IPaymentBatch.Result[] memory results =
            _batch.settle(_pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b")));
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.Failed));
        assertEq(uint8(results[1]), uint8(IPaymentBatch.Result.Paid));
        assertEq(usdc.balanceOf(_payee), 200);
    }

    function test_TheSameAuthorizationPaysOnce() public {
        IPaymentBatch.Payment memory payment = _sign(_alice, 100, "a");
        IPaymentBatch.Result[] memory results = _batch.settle(_pair(payment, payment));
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.Paid));
        assertEq(uint8(results[1]), uint8(IPaymentBatch.Result.Failed));
        assertEq(usdc.balanceOf(_payee), 100);
    }

    /// @dev Even a token that burns all it gets cannot use up the bound that the facilitator sends with.
    function test_TheBoundIsEnoughWhateverTheTokenBurns() public {
        EndlessToken token = new EndlessToken();
        PaymentBatch own = new PaymentBatch(_payee, _list(address(token)));
        uint256 count = 100;
        IPaymentBatch.Payment[] memory payments = new IPaymentBatch.Payment[](count);
        for (uint256 i = 0; i < count; ++i) {
            payments[i] = _sign(_alice, 100, bytes32(i + 1));
            payments[i].token = address(token);
            payments[i].from = address(uint160(0xabc0000 + i));
        }
        bytes memory data = abi.encodeCall(IPaymentBatch.settle, (payments));
        uint256 intrinsic = 21_000;
        for (uint256 i = 0; i < data.length; ++i) {
            intrinsic += data[i] == 0 ? 4 : 16;
        }
        (bool ok, bytes memory answer) =
            address(own).call{gas: BASE_GAS + GAS_OF_AN_ENTRY * count - intrinsic}(data);
        assertTrue(ok);
        IPaymentBatch.Result[] memory results = abi.decode(answer, (IPaymentBatch.Result[]));
        assertEq(uint8(results[count - 1]), uint8(IPaymentBatch.Result.Failed));
    }

    function test_RevertWhen_TheGasIsTooLittle() public {
        IPaymentBatch.Payment[] memory payments = _pair(_sign(_alice, 100, "a"), _sign(_bob, 200, "b"));
        vm.expectRevert(abi.encodeWithSelector(IPaymentBatch.NotEnoughGas.selector, 1));
        _batch.settle{gas: 150_000}(payments);
        assertEq(usdc.balanceOf(_payee), 0);
    }

    function test_RevertWhen_ThePayeeIsZero() public {
        vm.expectRevert(IPaymentBatch.ZeroPayee.selector);
        new PaymentBatch(address(0), _list(address(usdc)));
    }

    function test_RevertWhen_ThereIsNoTokenOrMoreThanFour() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentBatch.WrongTokenCount.selector, 0));
        new PaymentBatch(_payee, new address[](0));
        vm.expectRevert(abi.encodeWithSelector(IPaymentBatch.WrongTokenCount.selector, 5));
        new PaymentBatch(_payee, new address[](5));
    }

    function test_RevertWhen_ATokenHasNoCode() public {
        address nothing = makeAddr("nothing");
        vm.expectRevert(abi.encodeWithSelector(IPaymentBatch.NotAToken.selector, nothing));
        new PaymentBatch(_payee, _list(nothing));
    }

    /// @dev Whatever of these is changed after the signature, nothing moves.
    function testFuzz_OnlyWhatWasSignedIsPaid(uint256 value, uint256 validBefore, bytes32 nonce) public {
        IPaymentBatch.Payment memory payment = _sign(_alice, 100, "a");
        vm.assume(value != 100 || validBefore != payment.validBefore || nonce != "a");
        (payment.value, payment.validBefore, payment.nonce) = (value, validBefore, nonce);
        IPaymentBatch.Result[] memory results = _batch.settle(_pair(payment, _sign(_bob, 200, "b")));
        assertEq(uint8(results[0]), uint8(IPaymentBatch.Result.Failed));
        assertEq(usdc.balanceOf(_alice.addr), 1_000);
        assertEq(usdc.balanceOf(_payee), 200);
    }

    function test_Gas_OfTenPaid() public {
        IPaymentBatch.Payment[] memory payments = new IPaymentBatch.Payment[](10);
        for (uint256 i = 0; i < 10; ++i) {
            payments[i] = _sign(_alice, 1, bytes32(i + 1));
        }
        _batch.settle(payments);
    }

    function _sign(Vm.Wallet memory payer, uint256 value, bytes32 nonce)
        private
        returns (IPaymentBatch.Payment memory payment)
    {
        payment.token = address(usdc);
        payment.from = payer.addr;
        payment.value = value;
        payment.validBefore = block.timestamp + 60;
        payment.nonce = nonce;
        bytes32 structHash =
            keccak256(abi.encode(TRANSFER, payer.addr, _payee, value, 0, payment.validBefore, nonce));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
        (payment.v, payment.r, payment.s) = vm.sign(payer, digest);
    }

    function _list(address token) private pure returns (address[] memory all) {
        all = new address[](1);
        all[0] = token;
    }

    function _pair(IPaymentBatch.Payment memory first, IPaymentBatch.Payment memory second)
        private
        pure
        returns (IPaymentBatch.Payment[] memory both)
    {
        both = new IPaymentBatch.Payment[](2);
        (both[0], both[1]) = (first, second);
    }
}
