// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20Wrapper} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Wrapper.sol";
import {WrappedAic} from "../src/WrappedAic.sol";
import {IWrappedAic} from "../src/interfaces/IWrappedAic.sol";
import {Fixture} from "./Fixture.sol";
import {FeeToken} from "./mocks/Tokens.sol";

contract WrappedAicTest is Fixture {
    function test_WrapsAndUnwrapsAtPar() public {
        _wrapTo(alice.addr, 100);
        assertEq(wrapped.balanceOf(alice.addr), 100);
        assertEq(aic.balanceOf(address(wrapped)), 100);

        vm.prank(alice.addr);
        wrapped.withdrawTo(bob.addr, 40);
        assertEq(wrapped.totalSupply(), 60);
        assertEq(aic.balanceOf(bob.addr), 40);
    }

    function test_NamesItselfAsSignersExpect() public view {
        (, string memory name, string memory version, uint256 chainId, address verifier,,) =
            wrapped.eip712Domain();
        assertEq(name, wrapped.name());
        assertEq(name, "Wrapped AIC");
        assertEq(wrapped.symbol(), "wAIC");
        assertEq(version, "1");
        assertEq(wrapped.version(), "1");
        assertEq(wrapped.decimals(), 18);
        bytes32 typehash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        assertEq(
            wrapped.DOMAIN_SEPARATOR(),
            keccak256(abi.encode(typehash, keccak256(bytes(name)), keccak256("1"), chainId, verifier))
        );
    }

    function test_DomainSeparatorFollowsTheChainId() public {
        bytes32 before = wrapped.DOMAIN_SEPARATOR();
        uint256 home = block.chainid;
        vm.chainId(8454);
        assertNotEq(wrapped.DOMAIN_SEPARATOR(), before);
        vm.chainId(home);
        assertEq(wrapped.DOMAIN_SEPARATOR(), before);
    }

    function test_BurnSendsTheUnderlyingToTheDeadAddress() public {
        _wrapTo(alice.addr, 100);
        vm.expectEmit(address(wrapped));
        emit IWrappedAic.Burned(alice.addr, 30);
        vm.prank(alice.addr);
        wrapped.burn(30);

        assertEq(wrapped.totalSupply(), 70);
        assertEq(wrapped.totalBurned(), 30);
        assertEq(aic.balanceOf(address(wrapped)), 70);
        assertEq(aic.balanceOf(address(0xdEaD)), 30);

        vm.startPrank(alice.addr);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice.addr, 70, 71)
        );
        wrapped.withdrawTo(alice.addr, 71);
        wrapped.withdrawTo(alice.addr, 70);
        vm.stopPrank();
        assertEq(aic.balanceOf(address(wrapped)), 0);
    }

    function test_RevertWhen_BurningMoreThanOwned() public {
        _wrapTo(alice.addr, 100);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice.addr, 100, 101)
        );
        vm.prank(alice.addr);
        wrapped.burn(101);
        assertEq(wrapped.totalBurned(), 0);
    }

    function test_Donation_IsNeitherSupplyNorBurned() public {
        _wrapTo(alice.addr, 100);
        aic.transfer(address(wrapped), 7);
        assertEq(wrapped.totalSupply(), 100);
        assertEq(wrapped.totalBurned(), 0);

        vm.prank(alice.addr);
        wrapped.withdrawTo(alice.addr, 100);
        assertEq(aic.balanceOf(address(wrapped)), 7);
    }

    function test_RevertWhen_TheUnderlyingTakesAFee() public {
        FeeToken fee = new FeeToken();
        WrappedAic over = new WrappedAic(fee);
        fee.mint(address(this), 100);
        fee.approve(address(over), 100);
        vm.expectRevert(abi.encodeWithSelector(IWrappedAic.NotCovered.selector, 99, 100));
        over.depositFor(address(this), 100);
    }

    function test_DepositWithPermit() public {
        aic.transfer(alice.addr, 100);
        bytes32 digest = _permitDigest(address(aic), alice.addr, address(wrapped), 100, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        vm.prank(alice.addr);
        wrapped.depositWithPermit(100, block.timestamp + 1 hours, v, r, s);
        assertEq(wrapped.balanceOf(alice.addr), 100);
        assertEq(aic.allowance(alice.addr, address(wrapped)), 0);
    }

    function test_FrontRunning_APermitSentFirstStillWraps() public {
        aic.transfer(alice.addr, 100);
        bytes32 digest = _permitDigest(address(aic), alice.addr, address(wrapped), 100, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        uint256 deadline = block.timestamp + 1 hours;
        vm.prank(bob.addr);
        aic.permit(alice.addr, address(wrapped), 100, deadline, v, r, s);
        vm.prank(alice.addr);
        wrapped.depositWithPermit(100, deadline, v, r, s);
        assertEq(wrapped.balanceOf(alice.addr), 100);
    }

    function test_FrontRunning_NobodyElseCanWrapWithThePermit() public {
        aic.transfer(alice.addr, 100);
        bytes32 digest = _permitDigest(address(aic), alice.addr, address(wrapped), 100, 0);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(alice, digest);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(wrapped), 0, 100)
        );
        vm.prank(bob.addr);
        wrapped.depositWithPermit(100, block.timestamp + 1 hours, v, r, s);
        assertEq(aic.balanceOf(alice.addr), 100);
    }

    function test_RevertWhen_SentToTheWrapperItself() public {
        _wrapTo(alice.addr, 100);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(wrapped)));
        vm.prank(alice.addr);
        wrapped.transfer(address(wrapped), 1);
    }

    function test_RevertWhen_TheTokenHasNoCode() public {
        vm.expectRevert(abi.encodeWithSelector(IWrappedAic.TokenHasNoCode.selector, alice.addr));
        new WrappedAic(IERC20(alice.addr));
    }

    function test_RevertWhen_WrappingForTheWrapper() public {
        aic.approve(address(wrapped), 1);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(wrapped)));
        wrapped.depositFor(address(wrapped), 1);
    }

    function test_RevertWhen_WrappingItself() public {
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.expectRevert(abi.encodeWithSelector(ERC20Wrapper.ERC20InvalidUnderlying.selector, next));
        new WrappedAic(WrappedAic(next));
    }

    function testFuzz_SupplyAndBurnedAreCovered(uint96 deposit, uint96 burned, uint96 donated) public {
        burned = uint96(bound(burned, 0, deposit));
        vm.assume(uint256(deposit) + donated <= aic.totalSupply());
        _wrapTo(alice.addr, deposit);
        aic.transfer(address(wrapped), donated);
        vm.prank(alice.addr);
        wrapped.burn(burned);
        assertEq(wrapped.totalSupply() + donated, aic.balanceOf(address(wrapped)));
        assertEq(wrapped.totalBurned(), aic.balanceOf(address(0xdEaD)));
    }
}
