// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {PaymentSplitter} from "../src/PaymentSplitter.sol";
import {IPaymentSplitter} from "../src/interfaces/IPaymentSplitter.sol";
import {Fixture} from "./Fixture.sol";
import {Reentrant} from "./mocks/Attackers.sol";
import {FalseToken, FeeToken, HookToken, PlainToken, SilentToken, UnburnableToken} from "./mocks/Tokens.sol";

contract PaymentSplitterTest is Fixture {
    function test_SplitsWrappedAic() public {
        vm.roll(77);
        splitter = new PaymentSplitter(treasury, BURN_BPS);
        _wrapTo(alice.addr, 1_000 ether);
        vm.startPrank(alice.addr);
        wrapped.approve(address(splitter), 1_000 ether);
        vm.expectEmit(address(splitter));
        emit IPaymentSplitter.Split(address(wrapped), alice.addr, 1_000 ether, 200 ether, 800 ether);
        splitter.split(address(wrapped), 1_000 ether);

        assertEq(wrapped.balanceOf(treasury), 800 ether);
        assertEq(wrapped.totalBurned(), 200 ether);
        assertEq(splitter.totalBurned(address(wrapped)), 200 ether);
        assertEq(wrapped.balanceOf(address(splitter)), 0);
        assertEq(splitter.treasury(), treasury);
        assertEq(splitter.burnBps(), 2000);
        assertEq(splitter.deployedAtBlock(), 77);
    }

    function test_Rounding_Table() public {
        // amount, basis points, burned, to the treasury
        uint256[4][9] memory rows = [
            [uint256(1), 0, 0, 1],
            [uint256(1), 5000, 0, 1],
            [uint256(1), 9999, 0, 1],
            [uint256(1), 10000, 1, 0],
            [uint256(3), 3333, 0, 3],
            [uint256(9999), 1, 0, 9999],
            [uint256(10000), 1, 1, 9999],
            [uint256(1000001), 2500, 250000, 750001],
            [type(uint256).max, 10000, type(uint256).max, 0]
        ];
        for (uint256 i = 0; i < rows.length; ++i) {
            (uint256 burned, uint256 toTreasury, uint256 left) = _split(rows[i][0], rows[i][1]);
            assertEq(burned, rows[i][2]);
            assertEq(toTreasury, rows[i][3]);
            assertEq(left, 0);
        }
    }

    function testFuzz_Rounding_SumIsExactAndNothingStays(uint256 amount, uint256 bps) public {
        amount = bound(amount, 1, 1e12);
        bps = bound(bps, 0, 10_000);
        (uint256 burned, uint256 toTreasury, uint256 left) = _split(amount, bps);
        assertEq(burned, amount * bps / 10_000);
        assertEq(burned + toTreasury, amount);
        assertEq(left, 0);
    }

    function test_RevertWhen_TheTreasuryIsTheToken() public {
        _wrapTo(alice.addr, 100);
        splitter = new PaymentSplitter(address(wrapped), BURN_BPS);
        vm.startPrank(alice.addr);
        wrapped.approve(address(splitter), 100);
        vm.expectRevert(IPaymentSplitter.TreasuryIsToken.selector);
        splitter.split(address(wrapped), 100);
    }

    function test_RevertWhen_TheTreasuryIsZero() public {
        vm.expectRevert(IPaymentSplitter.ZeroTreasury.selector);
        new PaymentSplitter(address(0), BURN_BPS);
    }

    function test_RevertWhen_TheBurnShareIsMoreThanAll() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.BurnShareTooLarge.selector, 10_001));
        new PaymentSplitter(treasury, 10_001);
    }

    function test_RevertWhen_SplittingNothing() public {
        vm.expectRevert(IPaymentSplitter.ZeroAmount.selector);
        splitter.split(address(wrapped), 0);
    }

    function test_RevertWhen_TheTokenHasNoBurn() public {
        aic.approve(address(splitter), 100);
        vm.expectRevert();
        splitter.split(address(aic), 100);
        assertEq(splitter.totalBurned(address(aic)), 0);
    }

    function test_RevertWhen_BurningDoesNothing() public {
        UnburnableToken token = new UnburnableToken();
        token.mint(address(this), 100);
        token.approve(address(splitter), 100);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.NotExact.selector, 0, 20));
        splitter.split(address(token), 100);
    }

    function test_RevertWhen_TheTokenTakesAFee() public {
        FeeToken token = new FeeToken();
        token.mint(address(this), 200);
        token.transfer(address(splitter), 100);
        token.approve(address(splitter), 100);
        // 99 arrive on top of the 99 that lay there, 20 are burned and 80 sent: one of the 99 would be gone.
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.NotExact.selector, 99, 98));
        splitter.split(address(token), 100);
    }

    function test_RevertWhen_TheTokenSaysFalse() public {
        FalseToken token = new FalseToken();
        token.mint(address(this), 100);
        token.approve(address(splitter), 100);
        token.setRefuses(true);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        splitter.split(address(token), 100);
    }

    function test_ATokenThatAnswersNothingWorks() public {
        SilentToken token = new SilentToken();
        token.mint(address(this), 300);
        PaymentSplitter all = new PaymentSplitter(treasury, 10_000);
        token.approve(address(all), 100);
        all.split(address(token), 100);
        assertEq(token.balanceOf(treasury), 0);

        PaymentSplitter none = new PaymentSplitter(address(0xC0), 0);
        token.approve(address(none), 100);
        none.split(address(token), 100);
        assertEq(token.balanceOf(address(0xC0)), 100);

        token.approve(address(splitter), 100);
        splitter.split(address(token), 100);
        assertEq(token.balanceOf(treasury), 80);
        assertEq(token.balanceOf(address(splitter)), 0);
    }

    function test_Approvals_OnlyTheCallersTokensAreSplit() public {
        _wrapTo(alice.addr, 100);
        vm.prank(alice.addr);
        wrapped.approve(address(splitter), 100);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(splitter), 0, 100
            )
        );
        vm.prank(bob.addr);
        splitter.split(address(wrapped), 100);
    }

    function test_Approvals_ExactlyWhatIsSplitIsTaken() public {
        _wrapTo(alice.addr, 100);
        vm.startPrank(alice.addr);
        wrapped.approve(address(splitter), 60);
        splitter.split(address(wrapped), 60);
        assertEq(wrapped.allowance(alice.addr, address(splitter)), 0);
        assertEq(wrapped.balanceOf(alice.addr), 40);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(splitter), 0, 1)
        );
        splitter.split(address(wrapped), 1);
    }

    function test_Donation_IsNotPartOfASplit() public {
        _wrapTo(address(splitter), 7);
        _wrapTo(alice.addr, 100);
        vm.startPrank(alice.addr);
        wrapped.approve(address(splitter), 100);
        splitter.split(address(wrapped), 100);
        assertEq(wrapped.balanceOf(treasury), 80);
        assertEq(wrapped.totalBurned(), 20);
        assertEq(wrapped.balanceOf(address(splitter)), 7);
    }

    /// @dev Another's split between ours neither uses our tokens nor changes our shares.
    function test_FrontRunning_AnotherSplitChangesNothing() public {
        _wrapTo(alice.addr, 100);
        _wrapTo(bob.addr, 50);
        vm.prank(alice.addr);
        wrapped.approve(address(splitter), 100);
        vm.startPrank(bob.addr);
        wrapped.approve(address(splitter), 50);
        splitter.split(address(wrapped), 50);
        vm.stopPrank();
        vm.prank(alice.addr);
        splitter.split(address(wrapped), 100);
        assertEq(wrapped.balanceOf(treasury), 120);
        assertEq(wrapped.totalBurned(), 30);
    }

    function test_Reentrancy_NoSplitInsideASplit() public {
        HookToken token = new HookToken();
        Reentrant attacker = new Reentrant();
        token.mint(address(attacker), 200);
        attacker.run(address(token), abi.encodeCall(IERC20.approve, (address(splitter), 200)));
        token.setHook(attacker);
        attacker.arm(
            address(splitter),
            abi.encodeCall(IPaymentSplitter.split, (address(token), 50)),
            abi.encodeCall(IPaymentSplitter.totalBurned, (address(token)))
        );
        attacker.run(address(splitter), abi.encodeCall(IPaymentSplitter.split, (address(token), 100)));

        assertTrue(attacker.attacked());
        assertFalse(attacker.succeeded());
        assertEq(
            attacker.failure(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
        assertEq(token.balanceOf(address(attacker)), 100);
        assertEq(token.balanceOf(treasury), 80);
        assertEq(splitter.totalBurned(address(token)), 20);
    }

    /// @dev Splits `amount` of a new token and returns where it went.
    function _split(uint256 amount, uint256 bps)
        private
        returns (uint256 burned, uint256 toTreasury, uint256 left)
    {
        PaymentSplitter own = new PaymentSplitter(treasury, bps);
        PlainToken token = new PlainToken();
        token.mint(address(this), amount);
        token.approve(address(own), amount);
        own.split(address(token), amount);
        burned = own.totalBurned(address(token));
        assertEq(token.totalSupply(), amount - burned);
        return (burned, token.balanceOf(treasury), token.balanceOf(address(own)));
    }
}
