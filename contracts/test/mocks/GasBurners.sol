// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @dev Uses up all gas of every call.
contract Burner {
    fallback() external {
        while (true) {}
    }
}

/// @dev A token whose payment call uses up all gas.
contract EndlessToken {
    function transferWithAuthorization(
        address,
        address,
        uint256,
        uint256,
        uint256,
        bytes32,
        uint8,
        bytes32,
        bytes32
    ) external pure {
        while (true) {}
    }
}
