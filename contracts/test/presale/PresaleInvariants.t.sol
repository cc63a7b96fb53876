// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IPresale} from "../../src/presale/interfaces/IPresale.sol";
import {OperatorVault} from "../../src/presale/OperatorVault.sol";
import {PresaleFixture} from "./PresaleFixture.sol";
import {PresaleHandler} from "./PresaleHandler.sol";

/// forge-config: default.invariant.depth = 128
/// forge-config: long.invariant.depth = 256
contract PresaleInvariantTest is PresaleFixture {
    PresaleHandler internal handler;

    function setUp() public override {
        super.setUp();
        handler = new PresaleHandler(made, usdc, admin, operator);
        usdc.configureMinter(address(handler), type(uint128).max);
        vm.warp(START);
        bytes4[20] memory calls = [
            PresaleHandler.buy.selector,
            PresaleHandler.buy.selector,
            PresaleHandler.buy.selector,
            PresaleHandler.refund.selector,
            PresaleHandler.pause.selector,
            PresaleHandler.unpause.selector,
            PresaleHandler.finalize.selector,
            PresaleHandler.cancel.selector,
            PresaleHandler.route.selector,
            PresaleHandler.claim.selector,
            PresaleHandler.setTge.selector,
            PresaleHandler.sweep.selector,
            PresaleHandler.spend.selector,
            PresaleHandler.spend.selector,
            PresaleHandler.setPayee.selector,
            PresaleHandler.setOperator.selector,
            PresaleHandler.donate.selector,
            PresaleHandler.wait.selector,
            PresaleHandler.wait.selector,
            PresaleHandler.wait.selector
        ];
        bytes4[] memory selectors = new bytes4[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            selectors[i] = calls[i];
        }
        targetSelector(FuzzSelector(address(handler), selectors));
        targetContract(address(handler));
    }

    function invariant_UsdcIsInTheVaultRoutedOrPaidBack() public view {
        assertEq(
            usdc.balanceOf(address(vault)) + vault.totalRouted() + handler.paidBack(),
            handler.paidIn() + handler.donatedUsdc()
        );
        assertEq(presale.raised(), handler.paidIn() - handler.paidBack());
        assertEq(usdc.balanceOf(address(presale)), 0);
        if (vault.totalRouted() == 0) assertGe(usdc.balanceOf(address(vault)), presale.raised());
        if (presale.cancelled()) assertEq(vault.totalRouted(), 0);
    }

    function invariant_PositionsAreWhatIsSold() public view {
        uint256 aicSum = 0;
        uint256 usdcSum = 0;
        for (uint256 id = 1; id <= 3; ++id) {
            (uint256 aicOf, uint256 usdcOf) = handler.sumOfPositions(id);
            assertEq(aicOf, presale.soldIn(id).aic);
            assertEq(usdcOf, presale.soldIn(id).usdc);
            assertLe(aicOf, 50_000_000 ether);
            (aicSum, usdcSum) = (aicSum + aicOf, usdcSum + usdcOf);
        }
        assertEq(aicSum, presale.totalSold());
        assertEq(usdcSum, presale.raised());
    }

    function invariant_ClaimsAreCovered() public view {
        uint256 held = aic.balanceOf(address(claims));
        uint256 claimed = claims.totalClaimed();
        assertEq(held + claimed + handler.swept(), 150_000_000 ether);
        if (!presale.cancelled()) assertGe(held + claimed, presale.totalSold());
        assertLe(claimed, presale.totalSold());
    }

    function invariant_VaultsHoldWhatIsLocked() public view {
        for (uint256 i = 0; i < 4; ++i) {
            OperatorVault some = OperatorVault(_vaults(made)[i]);
            assertGe(aic.balanceOf(address(some)), some.lockedAt(block.timestamp));
        }
        assertEq(aic.totalSupply(), 1e27);
    }

    /// @dev The handler checks the rest of the rules of the team at each call.
    function invariant_NothingIsRoutedBeforeTheCoolingOffIsOver() public view {
        if (vault.totalRouted() == 0) return;
        assertGe(handler.finalizedAt(), END + COOLING_OFF);
        assertGe(handler.raisedAtTheEnd(), 500_000 * ONE_USDC);
    }

    function invariant_NoVaultSpendsAicWhileClaimsArePausedOrBeforeTheTge() public view {
        uint256 tge = claims.tge();
        bool mayNot = block.timestamp < claims.pausedUntil() || tge == 0 || block.timestamp < tge;
        for (uint256 i = 0; i < 4 && mayNot; ++i) {
            assertEq(OperatorVault(_vaults(made)[i]).releasable(), 0);
        }
    }

    function invariant_PausesAre72HoursInAll() public view {
        assertLe(presale.pausedSeconds(), 72 hours);
        assertLe(claims.pausedSeconds(), 72 hours);
    }

    /// @dev A sale that is not over ends twice: the admin cancels it, and it ends as its phases left it.
    function afterInvariant() public {
        vm.writeLine("cache/endings.txt", _reached());
        if (handler.spentByNewOperators() > 0) vm.writeLine("cache/endings.txt", "spent by a new operator");
        if (presale.endedAt() == 0) {
            uint256 running = vm.snapshotState();
            vm.prank(admin);
            presale.cancel();
            _allLeave();
            assertEq(presale.raised(), 0);
            vm.revertToState(running);
        }
        _allLeave();
    }

    /// @dev How far the calls of this run came by themselves. `script/run-tests.ts` counts the runs.
    function _reached() private view returns (string memory) {
        if (presale.endedAt() == 0) return "running";
        if (presale.cancelled()) return handler.paidBack() > 0 ? "cancelled and refunded" : "cancelled";
        return claims.totalClaimed() > 0 ? "finalized and claimed" : "finalized";
    }

    function _allLeave() private {
        handler.leaveAll();
        invariant_UsdcIsInTheVaultRoutedOrPaidBack();
        invariant_ClaimsAreCovered();
    }
}
