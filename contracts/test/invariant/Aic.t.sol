// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "forge-std/Test.sol";
import {AicToken} from "../../src/AicToken.sol";
import {PaymentSplitter} from "../../src/PaymentSplitter.sol";
import {WrappedAic} from "../../src/WrappedAic.sol";
import {AicHandler} from "./AicHandler.sol";

contract AicInvariantTest is Test {
    AicHandler private _handler;
    AicToken private _aic;
    WrappedAic private _wrapped;
    PaymentSplitter private _splitter;

    function setUp() public {
        _handler = new AicHandler(3333);
        (_aic, _wrapped, _splitter) = (_handler.aic(), _handler.wrapped(), _handler.splitter());
        targetContract(address(_handler));
    }

    function invariant_SupplyIsHeldAndBurnedIsGone() public view {
        assertEq(_wrapped.totalSupply() + _handler.donatedAic(), _aic.balanceOf(address(_wrapped)));
        assertEq(_wrapped.totalBurned(), _aic.balanceOf(address(0xdEaD)));
    }

    function invariant_SplitterNeverHolds() public view {
        assertEq(_wrapped.balanceOf(address(_splitter)), _handler.donatedWrapped());
    }

    function invariant_BurnedIsCountedOnceEverywhere() public view {
        uint256 bySplits = _splitter.totalBurned(address(_wrapped));
        assertEq(bySplits + _handler.burnedByHand(), _wrapped.totalBurned());
        assertEq(bySplits + _handler.treasuryGot(), _handler.splitInAll());
    }
}
