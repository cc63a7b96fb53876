// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Fixture} from "./Fixture.sol";

/// @dev What the everyday calls cost, for `.gas-snapshot`. All that is not measured happens in {setUp}.
contract GasTest is Fixture {
    address private _newcomer = makeAddr("newcomer");
    bytes private _signature;
    uint256 private _validBefore;

    function setUp() public override {
        super.setUp();
        aic.approve(address(wrapped), type(uint256).max);
        aic.approve(address(staking), type(uint256).max);
        wrapped.approve(address(splitter), type(uint256).max);
        wrapped.depositFor(address(this), 1_000);
        wrapped.depositFor(alice.addr, 1_000);
        wrapped.transfer(treasury, 1);
        wrapped.burn(1);
        staking.stake(1_000);
        _stakeAs(bob.addr, 1_000);
        vm.startPrank(bob.addr);
        staking.unstake(10);
        skip(COOLDOWN);
        vm.stopPrank();
        aic.transfer(bob.addr, 100);

        _validBefore = block.timestamp + 60;
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                alice.addr,
                _newcomer,
                100,
                0,
                _validBefore,
                bytes32(uint256(1))
            )
        );
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(alice, keccak256(abi.encodePacked("\x19\x01", wrapped.DOMAIN_SEPARATOR(), structHash)));
        _signature = abi.encodePacked(r, s, v);
    }

    function test_Gas_Wrap() public {
        wrapped.depositFor(address(this), 100);
    }

    function test_Gas_Unwrap() public {
        wrapped.withdrawTo(address(this), 100);
    }

    function test_Gas_TransferWithAuthorization() public {
        wrapped.transferWithAuthorization(
            alice.addr, _newcomer, 100, 0, _validBefore, bytes32(uint256(1)), _signature
        );
    }

    function test_Gas_Stake() public {
        staking.stake(100);
    }

    function test_Gas_Unstake() public {
        staking.unstake(100);
    }

    function test_Gas_UnstakeASecondPortion() public {
        vm.prank(bob.addr);
        staking.unstake(100);
    }

    function test_Gas_Withdraw() public {
        vm.prank(bob.addr);
        staking.withdraw();
    }

    function test_Gas_StakedBalance() public view {
        staking.stakedBalance(address(this));
    }

    function test_Gas_Split() public {
        splitter.split(address(wrapped), 100);
    }
}
