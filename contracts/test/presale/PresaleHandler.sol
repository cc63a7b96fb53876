// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PresaleContracts} from "../../script/PresalePlan.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {IFiatToken} from "../circle/CircleUsdc.sol";

/// @dev Buyers, an admin, operators and passers-by in any order. Each call that a contract refuses does nothing.
contract PresaleHandler is CommonBase, StdUtils {
    PresaleContracts private _made;
    IFiatToken private immutable _usdc;
    address private immutable _admin;
    address private immutable _operator;
    address[] public buyers = [address(0xB1), address(0xB2), address(0xB3), address(0xB4)];

    uint256 public donatedUsdc;
    uint256 public paidIn;
    uint256 public paidBack;
    uint256 public swept;

    constructor(PresaleContracts memory made, IFiatToken usdc, address admin, address operator) {
        (_made, _usdc, _admin, _operator) = (made, usdc, admin, operator);
        for (uint256 i = 0; i < buyers.length; ++i) {
            vm.prank(buyers[i]);
            usdc.approve(address(made.presale), type(uint256).max);
        }
    }

    function buy(uint256 who, uint256 phaseId, uint256 amount) external {
        address buyer = buyers[who % buyers.length];
        amount = _spread(amount, 1, 900_000e6);
        phaseId = _phaseFor(phaseId);
        _usdc.mint(buyer, amount);
        vm.prank(buyer);
        try _made.presale.buy(phaseId, amount) {
            paidIn += amount;
        } catch {}
    }

    /// @dev Mostly the phase that runs: other purchases are refused.
    function _phaseFor(uint256 any) private view returns (uint256) {
        for (uint256 id = 1; id <= 3 && !_isOneIn(4, any); ++id) {
            IPresale.Phase memory some = _made.presale.phase(id);
            if (block.timestamp >= some.start && block.timestamp < some.end) return id;
        }
        return bound(any, 1, 3);
    }

    /// @dev The fuzzer's numbers are mostly small or round. So most are spread evenly here, and the others are taken as they are.
    function _spread(uint256 any, uint256 min, uint256 max) private pure returns (uint256) {
        return
            _isOneIn(4, any) ? bound(any, min, max) : min + uint256(keccak256(abi.encode(any))) % (max - min);
    }

    function _isOneIn(uint256 count, uint256 any) private pure returns (bool) {
        return uint256(keccak256(abi.encode(any))) % count == 0;
    }

    function refund(uint256 who) external {
        address buyer = buyers[who % buyers.length];
        uint256 before = _usdc.balanceOf(buyer);
        vm.prank(buyer);
        try _made.presale.refund() {
            paidBack += _usdc.balanceOf(buyer) - before;
        } catch {}
    }

    function pause(bool sale) external {
        vm.prank(_admin);
        if (sale) try _made.presale.pause() {} catch {} else try _made.claimModule.pause() {} catch {}
    }

    function unpause() external {
        vm.prank(_admin);
        try _made.presale.unpause() {} catch {}
    }

    function finalize() external {
        try _made.presale.finalize() {} catch {}
    }

    /// @dev The admin cancels rarely, so that most runs see both purchases and claims.
    function cancel(uint256 chance) external {
        if (_isOneIn(24, chance)) vm.prank(_admin);
        try _made.presale.cancel() {} catch {}
    }

    function route(uint256 index) external {
        try _made.presaleVault.route(index % 4) {} catch {}
    }

    function claim(uint256 who) external {
        vm.prank(buyers[who % buyers.length]);
        try _made.claimModule.claim() {} catch {}
    }

    function setTge(uint256 time) external {
        vm.prank(_admin);
        try _made.claimModule.setTge(uint64(_spread(time, block.timestamp, block.timestamp + 20 days))) {}
            catch {}
    }

    function sweep() external {
        uint256 before = _made.token.balanceOf(address(_made.devVault));
        try _made.claimModule.sweepUnsold() {
            swept += _made.token.balanceOf(address(_made.devVault)) - before;
        } catch {}
    }

    function spend(uint256 amount) external {
        amount = bound(amount, 0, 60_000_000 ether);
        vm.prank(_operator);
        try _made.liquidityVault.spend(_made.token, address(0xFEED), amount, "") {} catch {}
    }

    function donate(uint256 amount) external {
        amount = bound(amount, 1, 1_000e6);
        _usdc.mint(address(_made.presaleVault), amount);
        donatedUsdc += amount;
    }

    function wait(uint256 time) external {
        vm.warp(block.timestamp + _spread(time, 1, 6 days));
    }

    function sumOfPositions(uint256 phaseId) external view returns (uint256 aic, uint256 usdc) {
        for (uint256 i = 0; i < buyers.length; ++i) {
            IPresale.Sold memory some = _made.presale.positionIn(buyers[i], phaseId);
            (aic, usdc) = (aic + some.aic, usdc + some.usdc);
        }
    }

    /// @dev All buyers get what they are due, without an admin. Reverts if one of them cannot.
    function leaveAll() external {
        vm.warp(block.timestamp + 60 days);
        if (_made.presale.endedAt() == 0 && _made.presale.raised() >= _made.presale.softCap()) {
            _made.presale.finalize();
        }
        bool isFinalized = _made.presale.state() == IPresale.State.Finalized;
        vm.warp(block.timestamp + 400 days);
        for (uint256 i = 0; i < buyers.length; ++i) {
            IPresale.Sold memory some = _made.presale.bought(buyers[i]);
            if (some.usdc == 0) continue;
            uint256 usdcBefore = _usdc.balanceOf(buyers[i]);
            (,, uint256 claimed) = _made.claimModule.claimable(buyers[i]);
            vm.prank(buyers[i]);
            if (!isFinalized) {
                _made.presale.refund();
                require(_usdc.balanceOf(buyers[i]) - usdcBefore == some.usdc, "refund");
                paidBack += some.usdc;
                continue;
            }
            if (claimed < some.aic) _made.claimModule.claim();
            require(_made.token.balanceOf(buyers[i]) == some.aic, "claim");
        }
    }
}
