// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {AicToken} from "../../src/AicToken.sol";
import {PaymentSplitter} from "../../src/PaymentSplitter.sol";
import {WrappedAic} from "../../src/WrappedAic.sol";

/// @dev Accounts that wrap, unwrap, pay, burn, split and donate in any order.
contract AicHandler is CommonBase, StdUtils {
    AicToken public immutable aic;
    WrappedAic public immutable wrapped;
    PaymentSplitter public immutable splitter;
    address public constant TREASURY = address(0x7EA);
    address[] public accounts = [address(0xB1), address(0xB2), address(0xB3)];

    uint256 public donatedAic;
    uint256 public donatedWrapped;
    uint256 public burnedByHand;
    uint256 public splitInAll;
    uint256 public treasuryGot;

    constructor(uint256 burnBps) {
        AicToken.Allocation[] memory all = new AicToken.Allocation[](1);
        all[0] = AicToken.Allocation(address(this), 1e27);
        aic = new AicToken(all);
        wrapped = new WrappedAic(aic);
        splitter = new PaymentSplitter(TREASURY, burnBps);
    }

    function wrap(uint256 who, uint256 amount) external {
        amount = bound(amount, 0, aic.balanceOf(address(this)) / 100);
        aic.approve(address(wrapped), amount);
        wrapped.depositFor(_account(who), amount);
    }

    function unwrap(uint256 who, uint256 amount) external {
        (address account, uint256 part) = _part(who, amount);
        vm.prank(account);
        wrapped.withdrawTo(address(this), part);
    }

    function pay(uint256 who, uint256 to, uint256 amount) external {
        (address account, uint256 part) = _part(who, amount);
        vm.prank(account);
        wrapped.transfer(_account(to), part);
    }

    function burn(uint256 who, uint256 amount) external {
        (address account, uint256 part) = _part(who, amount);
        vm.prank(account);
        wrapped.burn(part);
        burnedByHand += part;
    }

    function split(uint256 who, uint256 amount) external {
        (address account, uint256 part) = _part(who, amount);
        if (part == 0) return;
        uint256 before = wrapped.balanceOf(TREASURY);
        vm.startPrank(account);
        wrapped.approve(address(splitter), part);
        splitter.split(address(wrapped), part);
        vm.stopPrank();
        splitInAll += part;
        treasuryGot += wrapped.balanceOf(TREASURY) - before;
    }

    function donateAic(uint256 amount) external {
        amount = bound(amount, 0, 1e18);
        aic.transfer(address(wrapped), amount);
        donatedAic += amount;
    }

    function donateWrapped(uint256 who, uint256 amount) external {
        (address account, uint256 part) = _part(who, amount);
        vm.prank(account);
        wrapped.transfer(address(splitter), part);
        donatedWrapped += part;
    }

    function _part(uint256 who, uint256 amount) private view returns (address account, uint256 part) {
        account = _account(who);
        part = bound(amount, 0, wrapped.balanceOf(account));
    }

    function _account(uint256 who) private view returns (address) {
        return accounts[who % accounts.length];
    }
}
