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
        vm.prank(admin);
        made.liquidityVault.setPayee(address(0xFEED), true);
        vm.warp(START);
        bytes4[] memory selectors = new bytes4[](16);
        selectors[0] = PresaleHandler.buy.selector;
        selectors[1] = PresaleHandler.buy.selector;
        selectors[2] = PresaleHandler.buy.selector;
        selectors[3] = PresaleHandler.refund.selector;
        selectors[4] = PresaleHandler.pause.selector;
        selectors[5] = PresaleHandler.unpause.selector;
        selectors[6] = PresaleHandler.finalize.selector;
        selectors[7] = PresaleHandler.cancel.selector;
        selectors[8] = PresaleHandler.route.selector;
        selectors[9] = PresaleHandler.claim.selector;
        selectors[10] = PresaleHandler.setTge.selector;
        selectors[11] = PresaleHandler.sweep.selector;
        selectors[12] = PresaleHandler.spend.selector;
        selectors[13] = PresaleHandler.donate.selector;
        selectors[14] = PresaleHandler.wait.selector;
        selectors[15] = PresaleHandler.wait.selector;
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

    function invariant_PausesAre72HoursInAll() public view {
        assertLe(presale.pausedSeconds(), 72 hours);
        assertLe(claims.pausedSeconds(), 72 hours);
    }

    /// @dev A sale that is not over ends twice: the admin cancels it, and it ends as its phases left it.
    function afterInvariant() public {
        vm.writeLine("cache/endings.txt", _reached());
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
