// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20Burnable} from "../src/interfaces/IERC20Burnable.sol";
import {AicToken} from "../src/AicToken.sol";
import {Fixture} from "./Fixture.sol";

contract AicTokenTest is Fixture {
    function test_WholeSupplyGoesToTheHolder() public view {
        assertEq(aic.totalSupply(), 1_000_000_000_000_000_000_000_000_000);
        assertEq(aic.balanceOf(address(this)), aic.totalSupply());
        assertEq(aic.decimals(), 18);
        assertEq(aic.symbol(), "AIC");
    }

    function test_AllocationsAreMinted() public {
        AicToken.Allocation[] memory all = new AicToken.Allocation[](3);
        all[0] = AicToken.Allocation(alice.addr, 6e26);
        all[1] = AicToken.Allocation(bob.addr, 3e26);
        all[2] = AicToken.Allocation(alice.addr, 1e26);
        AicToken token = new AicToken(all);
        assertEq(token.balanceOf(alice.addr), 7e26);
        assertEq(token.balanceOf(bob.addr), 3e26);
    }

    /// @dev An external call: a test ends at the first `new` that reverts.
    function create(AicToken.Allocation[] memory all) external {
        new AicToken(all);
    }

    function test_RevertWhen_TheAllocationsAreNotTheSupply() public {
        AicToken.Allocation[] memory all = new AicToken.Allocation[](1);
        for (uint256 i = 0; i < 2; ++i) {
            uint256 sum = i == 0 ? 1e27 - 1 : 1e27 + 1;
            all[0] = AicToken.Allocation(alice.addr, sum);
            vm.expectRevert(abi.encodeWithSelector(AicToken.SupplyMismatch.selector, sum));
            this.create(all);
        }
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
