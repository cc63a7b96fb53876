// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @notice The service token: a fixed supply of 1,000,000,000 AIC and EIP-2612, no EIP-3009 and no burn function.
contract AicToken is ERC20, ERC20Permit {
    uint256 private constant SUPPLY = 1_000_000_000 ether;

    /// @notice What one holder receives.
    struct Allocation {
        address holder;
        /// Atomic units.
        uint256 amount;
    }

    /// @notice The allocations do not add up to the supply.
    /// @param allocated Their sum, atomic units.
    error SupplyMismatch(uint256 allocated);

    /// @param allocations Who receives the supply; a holder may be named more than once.
    constructor(Allocation[] memory allocations) ERC20("AIC", "AIC") ERC20Permit("AIC") {
        for (uint256 i = 0; i < allocations.length; ++i) {
            _mint(allocations[i].holder, allocations[i].amount);
        }
        require(totalSupply() == SUPPLY, SupplyMismatch(totalSupply()));
    }
}
