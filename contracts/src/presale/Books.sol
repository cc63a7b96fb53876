// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IPresale} from "./interfaces/IPresale.sol";

/// @dev The arithmetic of a sale's books: prices, and sums of what was sold.
library Books {
    uint256 private constant WHOLE_AIC = 1e18;

    /// @dev Atomic AIC for `usdc` at `price`, rounded down.
    function aicFor(uint256 usdc, uint256 price) internal pure returns (uint256) {
        return Math.mulDiv(usdc, WHOLE_AIC, price);
    }

    /// @dev Atomic USDC that buys `aic` or just less.
    function worth(uint256 aic, uint256 price) internal pure returns (uint256) {
        return Math.mulDiv(aic, price, WHOLE_AIC);
    }

    function sum(IPresale.Sold memory a, IPresale.Sold memory b)
        internal
        pure
        returns (IPresale.Sold memory)
    {
        return IPresale.Sold(a.aic + b.aic, a.usdc + b.usdc);
    }

    function difference(IPresale.Sold memory a, IPresale.Sold memory b)
        internal
        pure
        returns (IPresale.Sold memory)
    {
        return IPresale.Sold(a.aic - b.aic, a.usdc - b.usdc);
    }

    /// @dev Adds `piece` to `total`, in place.
    function add(IPresale.Sold memory total, IPresale.Sold memory piece) internal pure {
        (total.aic, total.usdc) = (total.aic + piece.aic, total.usdc + piece.usdc);
    }
}
