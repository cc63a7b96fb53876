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
        vm.warp(END);
        vm.prank(alice.addr);
        presale.refund();
        vm.expectRevert(abi.encodeWithSelector(IPresale.NotOpen.selector, 1, IPresale.State.Cancelled));
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
