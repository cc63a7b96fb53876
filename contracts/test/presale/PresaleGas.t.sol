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

contract PresaleEndGasTest is PresaleFixture {
    function setUp() public override {
        super.setUp();
        _soldSale();
        vm.warp(END + COOLING_OFF);
    }

    function test_Gas_Finalize() public {
        presale.finalize();
    }

    function test_Gas_Refund() public {
        vm.prank(bob.addr);
        presale.refund();
    }
}

contract PresaleClaimGasTest is PresaleFixture {
    function setUp() public override {
        super.setUp();
        _finalizedSale();
        vm.prank(admin);
        made.liquidityVault.setPayee(bob.addr, true);
        vm.warp(claims.tge());
    }

    function test_Gas_SpendAic() public {
        vm.prank(operator);
        made.liquidityVault.spend(aic, bob.addr, 1 ether, "");
    }

    function test_Gas_Claim() public {
        vm.prank(alice.addr);
        claims.claim();
    }

    function test_Gas_Route() public {
        vault.route(0);
    }
}
