// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Vm} from "forge-std/Test.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {Plan} from "../../script/PresalePlan.sol";
import {Wallet} from "../mocks/Wallet.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev Prices, caps and the three ways to pay.
contract BuyingTest is PresaleFixture {
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    function test_BuyWritesTheBooksAndMovesTheUsdcToTheVault() public {
        vm.warp(START);
        vm.roll(123);
        vm.expectEmit(address(presale));
        emit IPresale.Purchased(alice.addr, 1, 100 * ONE_USDC, 5_000 ether, alice.addr, 0);
        _buyAs(alice.addr, 1, 100);
        assertEq(usdc.balanceOf(address(vault)), 100 * ONE_USDC);
        assertEq(usdc.balanceOf(address(presale)), 0);
        assertEq(presale.raised(), 100 * ONE_USDC);
        assertEq(presale.totalSold(), 5_000 ether);
        assertEq(presale.soldIn(1).aic, 5_000 ether);
        assertEq(presale.positionIn(alice.addr, 1).usdc, 100 * ONE_USDC);
        assertEq(presale.lastPurchaseBlock(), 123);

        vm.roll(130);
        vm.expectEmit(address(presale));
        emit IPresale.Purchased(bob.addr, 1, 10 * ONE_USDC, 500 ether, bob.addr, 123);
        _buyAs(bob.addr, 1, 10);
        vm.warp(START + WEEK);
        _buyAs(alice.addr, 2, 30);
        assertEq(presale.bought(alice.addr).aic, 6_000 ether);
        assertEq(presale.bought(alice.addr).usdc, 130 * ONE_USDC);
    }

    /// @dev USDC units per whole AIC, worked out by hand.
    function test_Quote_Table() public view {
        uint256[3][6] memory rows = [
            [uint256(1), 1, 50_000_000_000_000], // 0.000001 / 0.02 = 0.00005
            [uint256(1), 1_000_000, 50 ether],
            [uint256(2), 1_000_000, 33_333_333_333_333_333_333],
            [uint256(2), 1, 33_333_333_333_333],
            [uint256(3), 10_000_000, 250 ether],
            [uint256(3), 2_000_000_000_000, 50_000_000 ether]
        ];
        for (uint256 i = 0; i < rows.length; ++i) {
            assertEq(presale.quote(rows[i][0], rows[i][1]), rows[i][2]);
        }
        assertEq(presale.phase(1).price, 20_000);
        assertEq(presale.phaseCount(), 3);
        assertEq(presale.usdc(), address(usdc));
        assertEq(presale.claimModule(), address(claims));
        assertEq(presale.deployedAtBlock(), 100);
    }

    function test_RevertWhen_ThePhaseDoesNotRun() public {
        _expectClosed(1, START, START + WEEK);
        _buyAs(alice.addr, 1, 10);
        vm.warp(START + WEEK - 1);
        _expectClosed(2, START + WEEK, START + 2 * WEEK);
        _buyAs(alice.addr, 2, 10);
        _expectClosed(4, 0, 0);
        _buyAs(alice.addr, 4, 10);
        _buyAs(alice.addr, 1, 10);
        vm.warp(START + WEEK);
        _expectClosed(1, START, START + WEEK);
        _buyAs(alice.addr, 1, 10);
        vm.expectRevert(abi.encodeWithSelector(IPresale.PhaseClosed.selector, 9, 0, 0));
        presale.quote(9, 1);
    }

    function test_RevertWhen_TheSaleIsOver() public {
        vm.warp(END - 1);
        _buyAs(alice.addr, 3, 10);
        vm.warp(END);
        _expectNotOpen(3, IPresale.State.CoolingOff);
        _buyAs(alice.addr, 3, 10);
        vm.warp(END + COOLING_OFF);
        _expectNotOpen(3, IPresale.State.Ended);
        _buyAs(alice.addr, 3, 10);
    }

    function test_RevertWhen_TheAmountIsTooSmall() public {
        vm.warp(START);
        vm.startPrank(alice.addr);
        for (uint256 amount = 0; amount < 10 * ONE_USDC; amount += 9_999_999) {
            vm.expectRevert(abi.encodeWithSelector(IPresale.PurchaseTooSmall.selector, 10 * ONE_USDC));
            presale.buy(1, amount);
        }
        presale.buy(1, 10 * ONE_USDC);
    }

    function test_LastPieceMayBeSmallAndCapIsAllOrNothing() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 999_995);
        vm.expectRevert(abi.encodeWithSelector(IPresale.PhaseSoldOut.selector, 1, 250 ether));
        _buyAs(bob.addr, 1, 10);
        vm.expectRevert(abi.encodeWithSelector(IPresale.PurchaseTooSmall.selector, 10 * ONE_USDC));
        _buyAs(bob.addr, 1, 4);
        _buyAs(bob.addr, 1, 5);
        assertEq(presale.soldIn(1).aic, 50_000_000 ether);
        vm.expectRevert(abi.encodeWithSelector(IPresale.PurchaseTooSmall.selector, 10 * ONE_USDC));
        _buyAs(bob.addr, 1, 0);
    }

    function test_RevertWhen_TheWalletCapIsReached() public {
        vm.warp(START + 2 * WEEK);
        _buyAs(alice.addr, 3, 1_999_000);
        _deployWithWalletCap(100);
        _buyAs(alice.addr, 1, 60);
        vm.expectRevert(abi.encodeWithSelector(IPresale.WalletCapReached.selector, 1, 40 * ONE_USDC));
        _buyAs(alice.addr, 1, 41);
        _buyAs(alice.addr, 1, 40);
        _buyAs(bob.addr, 1, 100);
    }

    function test_RevertWhen_PausedAndBuyingGoesOnAfterwards() public {
        vm.warp(START);
        vm.prank(admin);
        presale.pause();
        _expectNotOpen(1, IPresale.State.Paused);
        _buyAs(alice.addr, 1, 10);
        vm.prank(admin);
        presale.unpause();
        _buyAs(alice.addr, 1, 10);
    }

    function test_BuyWithPermit_AlsoWhenThePermitWasSentFirst() public {
        vm.warp(START);
        for (uint256 i = 0; i < 2; ++i) {
            (uint8 v, bytes32 r, bytes32 s) = _permit(alice, 20 * ONE_USDC, i);
            if (i == 1) {
                IERC20Permit(address(usdc))
                    .permit(alice.addr, address(presale), 20 * ONE_USDC, block.timestamp + 1 hours, v, r, s);
            }
            vm.prank(alice.addr);
            presale.buyWithPermit(1, 20 * ONE_USDC, block.timestamp + 1 hours, v, r, s);
        }
        assertEq(presale.bought(alice.addr).aic, 2_000 ether);
        assertEq(usdc.allowance(alice.addr, address(presale)), 0);
    }

    function test_BuyWithAuthorization_AnyoneDeliversAndTheSignerOwns() public {
        vm.warp(START);
        IPresale.Authorization memory auth = _authorization(alice.addr, 50 * ONE_USDC);
        auth.signature = _sign(alice, auth, 1);
        vm.expectEmit(address(presale));
        emit IPresale.Purchased(alice.addr, 1, 50 * ONE_USDC, 2_500 ether, bob.addr, 0);
        vm.prank(bob.addr);
        presale.buyWithAuthorization(1, auth);
        assertEq(presale.bought(alice.addr).aic, 2_500 ether);
        assertEq(presale.bought(bob.addr).aic, 0);
        assertEq(usdc.balanceOf(address(vault)), 50 * ONE_USDC);
        assertEq(usdc.balanceOf(address(presale)), 0);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        presale.buyWithAuthorization(1, auth);
    }

    function test_BuyWithAuthorization_AContractWalletSigns() public {
        vm.warp(START);
        address wallet = address(new Wallet(alice.addr));
        usdc.mint(wallet, 50 * ONE_USDC);
        IPresale.Authorization memory auth = _authorization(wallet, 50 * ONE_USDC);
        auth.signature = bytes.concat(_sign(alice, auth, 1), "more");
        presale.buyWithAuthorization(1, auth);
        assertEq(presale.bought(wallet).usdc, 50 * ONE_USDC);
    }

    /// @dev The phase, and so the price, is signed; so are amount and payer. The authorization is useless elsewhere.
    function test_RevertWhen_TheRelayerChangesAnything() public {
        vm.warp(START + WEEK);
        IPresale.Authorization memory auth = _authorization(alice.addr, 50 * ONE_USDC);
        auth.signature = _sign(alice, auth, 1);
        vm.expectRevert("FiatTokenV2: invalid signature");
        presale.buyWithAuthorization(2, auth);
        auth.signature = _sign(alice, auth, 2);
        (auth.value, auth.salt) = (51 * ONE_USDC, auth.salt);
        vm.expectRevert("FiatTokenV2: invalid signature");
        presale.buyWithAuthorization(2, auth);
        auth.value = 50 * ONE_USDC;
        bytes32 nonce = presale.nonceOf(2, auth.salt);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        vm.prank(bob.addr);
        usdc.receiveWithAuthorization(
            alice.addr, address(presale), auth.value, 0, auth.validBefore, nonce, auth.signature
        );
        presale.buyWithAuthorization(2, auth);
    }

    function test_NonceIsPhaseAndSalt() public view {
        assertEq(presale.nonceOf(2, "salt"), keccak256(abi.encode(uint256(2), bytes32("salt"))));
        assertNotEq(presale.nonceOf(1, "salt"), presale.nonceOf(2, "salt"));
    }

    function testFuzz_AnyPurchaseIsWithinCapsAndAtTheSignedPrice(uint128 amount, uint8 phaseId) public {
        phaseId = uint8(bound(phaseId, 1, 3));
        amount = uint128(bound(amount, 10 * ONE_USDC, 2_000_000 * ONE_USDC));
        vm.warp(START + (phaseId - 1) * WEEK);
        uint256 aicAmount = presale.quote(phaseId, amount);
        vm.prank(alice.addr);
        if (aicAmount > 50_000_000 ether) {
            vm.expectRevert(abi.encodeWithSelector(IPresale.PhaseSoldOut.selector, phaseId, 50_000_000 ether));
            presale.buy(phaseId, amount);
            return;
        }
        presale.buy(phaseId, amount);
        uint256 price = 10_000 + uint256(phaseId) * 10_000;
        assertEq(presale.bought(alice.addr).aic, (uint256(amount) * 1e18) / price);
        assertLe(presale.soldIn(phaseId).aic, 50_000_000 ether);
    }

    // --- helpers --------------------------------------------------------------------------------------------

    function _deployWithWalletCap(uint256 wholeUsdc) private {
        _walletCap = wholeUsdc;
        vm.warp(START);
        _deploy(_planWithWalletCap());
        vm.prank(alice.addr);
        usdc.approve(address(presale), type(uint256).max);
        vm.prank(bob.addr);
        usdc.approve(address(presale), type(uint256).max);
    }

    uint256 private _walletCap;

    function _planWithWalletCap() private view returns (Plan memory plan) {
        plan = _plan();
        for (uint256 i = 0; i < 3; ++i) {
            plan.phases[i].walletCap = uint128(_walletCap * ONE_USDC);
        }
    }

    function _authorization(address from, uint256 value)
        private
        view
        returns (IPresale.Authorization memory auth)
    {
        (auth.from, auth.value, auth.validBefore, auth.salt) =
        (from, value, block.timestamp + 60, bytes32("salt"));
    }

    function _sign(Vm.Wallet memory signer, IPresale.Authorization memory auth, uint256 phaseId)
        private
        returns (bytes memory)
    {
        bytes32 structHash = keccak256(
            abi.encode(
                RECEIVE,
                auth.from,
                address(presale),
                auth.value,
                auth.validAfter,
                auth.validBefore,
                keccak256(abi.encode(phaseId, auth.salt))
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signer, _typed(structHash));
        return abi.encodePacked(r, s, v);
    }

    function _permit(Vm.Wallet memory owner, uint256 value, uint256 nonce)
        private
        returns (uint8 v, bytes32 r, bytes32 s)
    {
        bytes32 typehash = keccak256(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
        );
        uint256 deadline = block.timestamp + 1 hours;
        bytes32 structHash =
            keccak256(abi.encode(typehash, owner.addr, address(presale), value, nonce, deadline));
        (v, r, s) = vm.sign(owner, _typed(structHash));
    }

    function _typed(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
    }

    function _expectClosed(uint256 phaseId, uint256 start, uint256 end) private {
        vm.expectRevert(abi.encodeWithSelector(IPresale.PhaseClosed.selector, phaseId, start, end));
    }

    function _expectNotOpen(uint256 phaseId, IPresale.State state) private {
        vm.expectRevert(abi.encodeWithSelector(IPresale.NotOpen.selector, phaseId, state));
    }
}
