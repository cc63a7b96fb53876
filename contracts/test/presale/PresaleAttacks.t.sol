// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Presale} from "../../src/presale/Presale.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev A wallet that calls the sale again while USDC asks it for its signature.
contract ReenteringWallet {
    Presale private immutable _presale;

    constructor(Presale presale) {
        _presale = presale;
    }

    function isValidSignature(bytes32, bytes memory) external returns (bytes4) {
        _presale.refund();
        return this.isValidSignature.selector;
    }
}

/// @dev Orders of calls by which a buyer, a relayer or the admin might gain.
contract PresaleAttacksTest is PresaleFixture {
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    function test_RevertWhen_ABuyerWhoLeftIsBroughtBackByTheOldSignature() public {
        vm.warp(START);
        IPresale.Authorization memory auth = _signed(100 * ONE_USDC);
        presale.buyWithAuthorization(1, auth);
        _useUpPause();
        vm.prank(alice.addr);
        presale.refund();
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        presale.buyWithAuthorization(1, auth);
        assertEq(presale.bought(alice.addr).usdc, 0);
    }

    function test_RevertWhen_AWalletCallsTheSaleWhileItSigns() public {
        vm.warp(START);
        IPresale.Authorization memory auth = _signed(100 * ONE_USDC);
        auth.from = address(new ReenteringWallet(presale));
        usdc.mint(auth.from, 100 * ONE_USDC);
        vm.expectRevert("FiatTokenV2: invalid signature");
        presale.buyWithAuthorization(1, auth);
        assertEq(presale.raised(), 0);
    }

    function test_LeavingAndBuyingAgainNeitherMultipliesNorLosesTheWalletCap() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 1_000_000);
        uint256 before = usdc.balanceOf(alice.addr);
        _useUpPause();
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(alice.addr);
            presale.refund();
            _buyAs(alice.addr, 1, 1_000_000);
        }
        assertEq(usdc.balanceOf(alice.addr), before);
        assertEq(presale.positionIn(alice.addr, 1).usdc, 1_000_000 * ONE_USDC);
        assertEq(presale.soldIn(1).aic, 50_000_000 ether);
        vm.expectRevert(abi.encodeWithSelector(IPresale.PhaseSoldOut.selector, 1, 0));
        _buyAs(bob.addr, 1, 10);
    }

    /// @dev Who leaves after the end can bring the sale below its soft cap. The others then get their USDC back, too.
    function test_WhoLeavesAfterTheEndCannotHoldUpTheOthers() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 400_000);
        _buyAs(bob.addr, 1, 200_000);
        vm.warp(START + 3 * WEEK - 72 hours);
        _useUpPause();
        vm.prank(alice.addr);
        presale.refund();
        vm.warp(START + 3 * WEEK + 144 hours);
        vm.expectRevert();
        presale.finalize();
        vm.prank(bob.addr);
        presale.refund();
        _assertState(IPresale.State.Cancelled);
        assertEq(usdc.balanceOf(address(vault)), 0);
    }

    /// @dev A sale that ends in a pause is finalized without a leave: the pause was not used up when it ended.
    function test_APauseAcrossTheEndHoldsUpNothing() public {
        vm.warp(START);
        _buyAs(alice.addr, 1, 600_000);
        vm.warp(START + 3 * WEEK - 1 hours);
        vm.prank(admin);
        presale.pause();
        vm.warp(START + 3 * WEEK);
        presale.finalize();
        skip(80 hours);
        vm.expectRevert(IPresale.NotRefundable.selector);
        vm.prank(alice.addr);
        presale.refund();
    }

    // --- helpers --------------------------------------------------------------------------------------------

    function _signed(uint256 value) private returns (IPresale.Authorization memory auth) {
        auth = IPresale.Authorization(alice.addr, value, 0, block.timestamp + 30 days, "salt", "");
        bytes32 terms = keccak256(
            abi.encode(
                RECEIVE,
                alice.addr,
                address(presale),
                value,
                auth.validAfter,
                auth.validBefore,
                presale.nonceOf(1, auth.salt)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(alice, keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), terms)));
        auth.signature = abi.encodePacked(r, s, v);
    }
}
