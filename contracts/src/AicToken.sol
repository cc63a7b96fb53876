// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @notice The service token: a fixed supply and EIP-2612, no EIP-3009 and no burn function.
contract AicToken is ERC20, ERC20Permit {
    /// @param holder Receives the whole supply of 1,000,000,000 AIC.
    constructor(address holder) ERC20("AIC", "AIC") ERC20Permit("AIC") {
        _mint(holder, 1_000_000_000 ether);
    }
}
