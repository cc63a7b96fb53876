// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20Burnable} from "../src/interfaces/IERC20Burnable.sol";
import {Fixture} from "./Fixture.sol";

contract AicTokenTest is Fixture {
    function test_WholeSupplyGoesToTheHolder() public view {
        assertEq(aic.totalSupply(), 1_000_000_000_000_000_000_000_000_000);
        assertEq(aic.balanceOf(address(this)), aic.totalSupply());
        assertEq(aic.decimals(), 18);
        assertEq(aic.symbol(), "AIC");
    }

    function test_PermitSetsAnAllowance() public {
        bytes32 digest = _permitDigest(address(aic), alice.addr, bob.addr, 5, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        aic.permit(alice.addr, bob.addr, 5, block.timestamp + 1 hours, v, r, s);
        assertEq(aic.allowance(alice.addr, bob.addr), 5);
    }

    function test_RevertWhen_AskedForAnAuthorizationState() public {
        vm.expectRevert();
        IERC3009(address(aic)).authorizationState(alice.addr, bytes32(0));
    }

    function test_RevertWhen_AskedToBurn() public {
        vm.expectRevert();
        IERC20Burnable(address(aic)).burn(1);
    }
}
