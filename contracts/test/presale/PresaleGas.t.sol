// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PresaleFixture} from "./PresaleFixture.sol";

/// @dev What the calls of a buyer cost, for `.gas-snapshot`. All that is not measured happens in {setUp}.
contract PresaleGasTest is PresaleFixture {
    function setUp() public override {
        super.setUp();
        vm.warp(START);
        _buyAs(bob.addr, 1, 600_000);
    }

    function test_Gas_Buy() public {
        _buyAs(alice.addr, 1, 100);
    }

    function test_Gas_BuyAgain() public {
        _buyAs(bob.addr, 1, 100);
    }
}

contract PresaleClaimGasTest is PresaleFixture {
    function setUp() public override {
        super.setUp();
        _finalizedSale();
        vm.warp(claims.tge());
    }

    function test_Gas_Claim() public {
        vm.prank(alice.addr);
        claims.claim();
    }

    function test_Gas_Route() public {
        vault.route(0);
    }
}
