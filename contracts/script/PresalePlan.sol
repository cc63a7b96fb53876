// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CommonBase} from "forge-std/Base.sol";
import {AicToken} from "../src/AicToken.sol";
import {ClaimModule} from "../src/presale/ClaimModule.sol";
import {DevVault} from "../src/presale/DevVault.sol";
import {LiquidityVault} from "../src/presale/LiquidityVault.sol";
import {MarketingVault} from "../src/presale/MarketingVault.sol";
import {OperatorVault} from "../src/presale/OperatorVault.sol";
import {Presale} from "../src/presale/Presale.sol";
import {PresaleVault} from "../src/presale/PresaleVault.sol";
import {TeamVault} from "../src/presale/TeamVault.sol";
import {IOperatorVault} from "../src/presale/interfaces/IOperatorVault.sol";
import {IPresale} from "../src/presale/interfaces/IPresale.sol";
import {IPresaleVault} from "../src/presale/interfaces/IPresaleVault.sol";

/// @notice Everything that a launch decides. Lists of four are in the order liquidity, dev, team, marketing.
struct Plan {
    address admin;
    uint48 adminDelay;
    /// Seconds: of the sale's cooling-off; and until a new payee, a new operator or an earlier TGE counts.
    uint32 coolingOff;
    uint32 notice;
    address usdc;
    address[4] operators;
    IPresale.Phase[] phases;
    uint128 softCap;
    uint128 minPurchase;
    uint16[4] routeBps;
    /// Atomic AIC for the buyers.
    uint256 claimAmount;
    uint16 claimTgeBps;
    uint32 claimCliff;
    uint32 claimDuration;
    IOperatorVault.Schedule[][4] schedules;
}

/// @notice The eight contracts, in the order in which they are deployed.
struct PresaleContracts {
    ClaimModule claimModule;
    LiquidityVault liquidityVault;
    DevVault devVault;
    TeamVault teamVault;
    MarketingVault marketingVault;
    PresaleVault presaleVault;
    AicToken token;
    Presale presale;
}

/// @notice Deploys a plan. Token and presale come last, and the others need their addresses, so these are computed from the
/// nonce of the deployer.
abstract contract PresaleDeployment is CommonBase {
    uint256 private constant TOKEN_NONCE = 6;
    uint256 private constant PRESALE_NONCE = 7;

    /// @param creator The account that deploys; it must send nothing else meanwhile.
    function _deployAll(Plan memory plan, address creator) internal returns (PresaleContracts memory made) {
        uint256 nonce = vm.getNonce(creator);
        address token = vm.computeCreateAddress(creator, nonce + TOKEN_NONCE);
        address presale = vm.computeCreateAddress(creator, nonce + PRESALE_NONCE);
        // The third contract is the dev vault, which gets what is not sold.
        address unsoldTo = vm.computeCreateAddress(creator, nonce + 2);
        made.claimModule = new ClaimModule(_claims(plan, token, presale, unsoldTo));
        address claims = address(made.claimModule);
        made.liquidityVault = new LiquidityVault(_vault(plan, 0, token, claims), plan.schedules[0]);
        made.devVault = new DevVault(_vault(plan, 1, token, claims), plan.schedules[1]);
        made.teamVault = new TeamVault(_vault(plan, 2, token, claims), plan.schedules[2]);
        made.marketingVault = new MarketingVault(_vault(plan, 3, token, claims), plan.schedules[3]);
        made.presaleVault = new PresaleVault(plan.usdc, presale, _routes(plan, made));
        made.token = new AicToken(_allocations(plan, made));
        made.presale = new Presale(_sale(plan, made), plan.phases);
        require(
            address(made.token) == token && address(made.presale) == presale
                && address(made.devVault) == unsoldTo,
            "the deployer sent something else meanwhile"
        );
    }

    function _vaults(PresaleContracts memory made) internal pure returns (address[4] memory) {
        return [
            address(made.liquidityVault),
            address(made.devVault),
            address(made.teamVault),
            address(made.marketingVault)
        ];
    }

    function _claims(Plan memory plan, address token, address presale, address unsoldTo)
        private
        pure
        returns (ClaimModule.Setup memory)
    {
        return ClaimModule.Setup({
            admin: plan.admin,
            adminDelay: plan.adminDelay,
            token: token,
            presale: presale,
            unsoldTo: unsoldTo,
            tgeBps: plan.claimTgeBps,
            cliff: plan.claimCliff,
            duration: plan.claimDuration,
            notice: plan.notice
        });
    }

    function _vault(Plan memory plan, uint256 index, address token, address claims)
        private
        pure
        returns (OperatorVault.Setup memory)
    {
        return OperatorVault.Setup({
            admin: plan.admin,
            adminDelay: plan.adminDelay,
            operator: plan.operators[index],
            aic: token,
            claimModule: claims,
            notice: plan.notice
        });
    }

    function _routes(Plan memory plan, PresaleContracts memory made)
        private
        pure
        returns (IPresaleVault.Route[] memory routes)
    {
        routes = new IPresaleVault.Route[](4);
        for (uint256 i = 0; i < 4; ++i) {
            routes[i] = IPresaleVault.Route(_vaults(made)[i], plan.routeBps[i]);
        }
    }

    function _allocations(Plan memory plan, PresaleContracts memory made)
        private
        pure
        returns (AicToken.Allocation[] memory all)
    {
        uint256 count = 1;
        for (uint256 i = 0; i < 4; ++i) {
            count += plan.schedules[i].length;
        }
        all = new AicToken.Allocation[](count);
        all[0] = AicToken.Allocation(address(made.claimModule), plan.claimAmount);
        uint256 next = 1;
        for (uint256 i = 0; i < 4; ++i) {
            for (uint256 j = 0; j < plan.schedules[i].length; ++j) {
                all[next++] = AicToken.Allocation(_vaults(made)[i], plan.schedules[i][j].amount);
            }
        }
    }

    function _sale(Plan memory plan, PresaleContracts memory made)
        private
        pure
        returns (Presale.Setup memory)
    {
        return Presale.Setup({
            admin: plan.admin,
            adminDelay: plan.adminDelay,
            usdc: plan.usdc,
            vault: address(made.presaleVault),
            claimModule: address(made.claimModule),
            softCap: plan.softCap,
            minPurchase: plan.minPurchase,
            coolingOff: plan.coolingOff
        });
    }
}
