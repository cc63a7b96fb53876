// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PresaleContracts} from "../../script/PresalePlan.sol";
import {OperatorVault} from "../../src/presale/OperatorVault.sol";
import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {IFiatToken} from "../circle/CircleUsdc.sol";
import {PresaleModel} from "./PresaleModel.sol";

/// @dev Buyers, an admin, operators and passers-by in any order. Each call that a contract refuses does nothing; one that it must
/// not refuse, or must not accept, ends the run.
contract PresaleHandler is PresaleModel {
    uint256 public donatedUsdc;
    uint256 public swept;

    constructor(PresaleContracts memory made, IFiatToken usdc, address admin, address operator)
        PresaleModel(made, usdc, admin, operator)
    {}

    // --- the sale -------------------------------------------------------------------------------------------

    function buy(uint256 who, uint256 phaseId, uint256 amount) external onlyFallsAfterTheEnd {
        address buyer = buyers[who % buyers.length];
        amount = _spread(amount, 1, 900_000e6);
        phaseId = _phaseFor(phaseId);
        _usdc.mint(buyer, amount);
        vm.prank(buyer);
        try _made.presale.buy(phaseId, amount) {
            paidIn += amount;
            _paid[buyer] += amount;
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

    /// @dev Invariants 1 and 5: between the end and the finalization everyone gets exactly what they paid, paused or not. Few
    /// leave, or no sale would reach its soft cap.
    function refund(uint256 who) external onlyFallsAfterTheEnd {
        if (!_isOneIn(3, who)) return;
        address buyer = buyers[who % buyers.length];
        uint256 before = _usdc.balanceOf(buyer);
        bool missed = block.timestamp >= _end && finalizedAt == 0 && !_reachesSoftCap();
        vm.prank(buyer);
        try _made.presale.refund() {
            require(_canLeave(), "someone left too early or too late");
            require(_usdc.balanceOf(buyer) - before == _paid[buyer], "another sum was paid back");
            paidBack += _paid[buyer];
            _paid[buyer] = 0;
            isCancelled = isCancelled || missed;
        } catch {
            require(!_canLeave() || _paid[buyer] == 0, "a refund was refused");
        }
    }

    function pause(bool sale) external onlyFallsAfterTheEnd {
        uint256 tge = _made.claimModule.tge();
        vm.prank(_admin);
        if (sale) {
            try _made.presale.pause() {} catch {}
            return;
        }
        try _made.claimModule.pause() {
            bool justBegan = tge != 0 && block.timestamp >= tge && block.timestamp < tge + 72 hours;
            require(!justBegan, "claims were paused right after the TGE");
        } catch {}
    }

    function unpause(bool sale) external onlyFallsAfterTheEnd {
        vm.prank(_admin);
        if (sale) try _made.presale.unpause() {} catch {} else try _made.claimModule.unpause() {} catch {}
    }

    /// @dev Invariants 1 and 5: time and what is left decide alone.
    function finalize() external onlyFallsAfterTheEnd {
        bool can = _canFinalize();
        try _made.presale.finalize() {
            require(can, "the sale was final too early, or below its soft cap");
            (finalizedAt, raisedAtTheEnd) = (block.timestamp, paidIn - paidBack);
        } catch {
            require(!can, "a finalization was refused");
        }
    }

    /// @dev The admin cancels rarely, so that most runs see both purchases and claims.
    function cancel(uint256 chance) external onlyFallsAfterTheEnd {
        bool byAdmin = _isOneIn(24, chance);
        bool missed = block.timestamp >= _end && !_reachesSoftCap();
        bool can = !_isFinal() && (byAdmin || missed);
        if (byAdmin) vm.prank(_admin);
        try _made.presale.cancel() {
            require(can, "someone cancelled who must not");
            isCancelled = true;
        } catch {
            require(!can, "a cancel was refused");
        }
    }

    function route(uint256 index) external onlyFallsAfterTheEnd {
        try _made.presaleVault.route(index % 4) {
            require(finalizedAt != 0, "USDC was routed before the sale was final");
        } catch {}
    }

    function donate(uint256 amount) external onlyFallsAfterTheEnd {
        amount = bound(amount, 1, 1_000e6);
        _usdc.mint(address(_made.presaleVault), amount);
        donatedUsdc += amount;
    }

    // --- claims ---------------------------------------------------------------------------------------------

    /// @dev Invariant 3: a claim needs only time and no pause.
    function claim(uint256 who) external onlyFallsAfterTheEnd {
        address buyer = buyers[who % buyers.length];
        (, uint256 vested, uint256 claimed) = _made.claimModule.claimable(buyer);
        vm.prank(buyer);
        try _made.claimModule.claim() {
            require(!_claimsArePaused(), "a claim in a pause");
        } catch {
            require(_claimsArePaused() || vested == claimed, "a claim was refused");
        }
    }

    /// @dev Invariant 4: a TGE is announced ahead.
    function setTge(uint256 time) external onlyFallsAfterTheEnd {
        time = _spread(time, block.timestamp, block.timestamp + 20 days);
        vm.prank(_admin);
        try _made.claimModule.setTge(uint64(time)) {
            require(time >= block.timestamp + NOTICE, "a TGE without notice");
        } catch {}
    }

    /// @dev Invariant 3: what was not sold stays until all of the buyers' is free.
    function sweep() external onlyFallsAfterTheEnd {
        uint256 tge = _made.claimModule.tge();
        uint256 before = _made.token.balanceOf(address(_made.devVault));
        try _made.claimModule.sweepUnsold() {
            require(tge != 0 && block.timestamp >= tge + ALL_FREE_AFTER, "unsold AIC went before the buyers'");
            swept += _made.token.balanceOf(address(_made.devVault)) - before;
        } catch {}
    }

    // --- the team -------------------------------------------------------------------------------------------

    /// @dev Invariants 3, 4 and 5: AIC only after the TGE and in no pause; each payment to a payee and by an operator who were
    /// set the notice before.
    function spend(uint256 which, uint256 who, uint256 to, uint256 amount, bool inAic)
        external
        onlyFallsAfterTheEnd
    {
        OperatorVault from = _all[which % 4];
        address operator = _operators[who % 3];
        address payee = _payees[to % 3];
        IERC20 token = inAic ? IERC20(address(_made.token)) : IERC20(address(_usdc));
        uint256 most = inAic ? from.releasable() : token.balanceOf(address(from));
        // Mostly what can be spent, sometimes more.
        amount = _isOneIn(4, amount) ? bound(amount, 1, 60_000_000 ether) : bound(amount, 0, most);
        vm.prank(operator);
        try from.spend(token, payee, amount, "") {
            _checkPaid(from, operator, payee);
            if (!inAic || amount == 0) return;
            uint256 tge = _made.claimModule.tge();
            require(tge != 0 && block.timestamp >= tge, "AIC of the team moved before the TGE");
            require(!_claimsArePaused(), "AIC was spent while claims were paused");
        } catch {}
    }

    function _checkPaid(OperatorVault from, address operator, address payee) private {
        uint256 payeeSince = _payeeSince[from][payee];
        uint256 operatorSince = _operatorSince[from][operator];
        require(payeeSince != 0 && block.timestamp >= payeeSince + NOTICE, "a payee without notice");
        require(operatorSince != 0 && block.timestamp >= operatorSince + NOTICE, "an operator without notice");
        if (operator != _operators[0]) ++spentByNewOperators;
    }

    function setPayee(uint256 which, uint256 who, uint256 chance) external onlyFallsAfterTheEnd {
        OperatorVault some = _all[which % 4];
        address payee = _payees[who % 3];
        bool allowed = !_isOneIn(4, chance);
        vm.prank(_admin);
        some.setPayee(payee, allowed);
        if (!allowed) _payeeSince[some][payee] = 0;
        else if (_payeeSince[some][payee] == 0) _payeeSince[some][payee] = block.timestamp;
    }

    function setOperator(uint256 which, uint256 who, uint256 chance) external onlyFallsAfterTheEnd {
        OperatorVault some = _all[which % 4];
        address operator = _operators[who % 3];
        bytes32 role = some.operatorRole();
        bool granted = !_isOneIn(4, chance);
        vm.prank(_admin);
        if (granted) some.grantRole(role, operator);
        else some.revokeRole(role, operator);
        if (!granted) _operatorSince[some][operator] = 0;
        else if (_operatorSince[some][operator] == 0) _operatorSince[some][operator] = block.timestamp;
    }

    /// @dev After the end the waits are longer, or few histories come to a claim.
    function wait(uint256 time) external onlyFallsAfterTheEnd {
        uint256 longest = block.timestamp < _end ? 6 days : 24 days;
        vm.warp(block.timestamp + _spread(time, 1, longest));
    }

    // --- the end of a run -----------------------------------------------------------------------------------

    /// @dev All buyers get what they are due, without an admin. Reverts if one of them cannot.
    function leaveAll() external {
        vm.warp(block.timestamp + 60 days);
        if (_made.presale.endedAt() == 0 && _canFinalize()) {
            _made.presale.finalize();
            finalizedAt = block.timestamp;
        }
        vm.warp(block.timestamp + 400 days);
        for (uint256 i = 0; i < buyers.length; ++i) {
            IPresale.Sold memory some = _made.presale.bought(buyers[i]);
            if (some.usdc == 0) continue;
            uint256 usdcBefore = _usdc.balanceOf(buyers[i]);
            (,, uint256 claimed) = _made.claimModule.claimable(buyers[i]);
            vm.prank(buyers[i]);
            if (finalizedAt == 0) {
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
