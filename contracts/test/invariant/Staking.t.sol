// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "forge-std/Test.sol";
import {AicStaking} from "../../src/AicStaking.sol";
import {FeeToken, PlainToken} from "../mocks/Tokens.sol";
import {StakingHandler} from "./StakingHandler.sol";

contract StakingInvariantTest is Test {
    StakingHandler internal handler;

    function setUp() public {
        vm.warp(1_800_000_000);
        PlainToken token = _token();
        handler = new StakingHandler(new AicStaking(token, 7 days), token);
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = StakingHandler.stake.selector;
        selectors[1] = StakingHandler.unstake.selector;
        selectors[2] = StakingHandler.withdraw.selector;
        selectors[3] = StakingHandler.donate.selector;
        selectors[4] = StakingHandler.wait.selector;
        targetSelector(FuzzSelector(address(handler), selectors));
        targetContract(address(handler));
    }

    function invariant_StakesAndPendingAreHeld() public view {
        assertEq(handler.owed() + handler.donated(), handler.token().balanceOf(address(handler.staking())));
    }

    function afterInvariant() public {
        handler.leaveAll();
        assertEq(handler.owed(), 0);
        assertEq(handler.token().balanceOf(address(handler.staking())), handler.donated());
    }

    function _token() internal virtual returns (PlainToken) {
        return new PlainToken();
    }
}

contract StakingOfFeeTokenInvariantTest is StakingInvariantTest {
    function _token() internal override returns (PlainToken) {
        return new FeeToken();
    }
}
