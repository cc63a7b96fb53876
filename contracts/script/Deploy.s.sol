// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Script} from "forge-std/Script.sol";
import {console} from "forge-std/console.sol";
import {VmSafe} from "forge-std/Vm.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {AicToken} from "../src/AicToken.sol";
import {PaymentSplitter} from "../src/PaymentSplitter.sol";
import {WrappedAic} from "../src/WrappedAic.sol";

/// @notice Deploys AIC's contracts and writes where they are into `addresses.json`, one entry per chain id.
/// Read from the environment: `AIC_TREASURY_ADDRESS` and `AIC_BURN_BPS`; `AIC_TOKEN_ADDRESS`, which chains with real money
/// must name; `AIC_COOLDOWN_SECONDS`, 7 days when it is unset. The key comes from forge's own options, for example
/// `npm run contracts:forge -- script script/Deploy.s.sol --rpc-url … --account … --broadcast`.
contract Deploy is Script {
    string private constant FILE = "./addresses.json";

    struct Options {
        address token;
        address treasury;
        uint256 burnBps;
        uint256 cooldown;
    }

    struct Contracts {
        address token;
        address wrapped;
        address staking;
        address splitter;
    }

    /// @notice The share is more than everything.
    error BurnShareTooLarge(uint256 burnBps);
    /// @notice There is AIC on this chain already; a second one would be worth nothing.
    error TokenAddressMissing(uint256 chainId);
    /// @notice There is no contract at the given token address.
    error TokenHasNoCode(address token);

    function run() external {
        Options memory options = Options({
            token: vm.envOr("AIC_TOKEN_ADDRESS", address(0)),
            treasury: vm.envAddress("AIC_TREASURY_ADDRESS"),
            burnBps: vm.envUint("AIC_BURN_BPS"),
            cooldown: vm.envOr("AIC_COOLDOWN_SECONDS", uint256(7 days))
        });
        check(options);
        vm.startBroadcast();
        (, address deployer,) = vm.readCallers();
        Contracts memory contracts = deploy(options, deployer);
        vm.stopBroadcast();
        _report(contracts);
    }

    /// @notice Reverts when the options would deploy something wrong; sends nothing.
    function check(Options memory options) public view {
        require(options.burnBps <= 10_000, BurnShareTooLarge(options.burnBps));
        if (options.token != address(0)) {
            require(options.token.code.length > 0, TokenHasNoCode(options.token));
        } else {
            require(block.chainid != 1 && block.chainid != 8453, TokenAddressMissing(block.chainid));
        }
    }

    /// @notice Deploys in the caller's name.
    /// @param holder Receives the supply of a new AIC.
    function deploy(Options memory options, address holder) public returns (Contracts memory contracts) {
        contracts.token = options.token == address(0) ? address(new AicToken(holder)) : options.token;
        contracts.wrapped = address(new WrappedAic(IERC20(contracts.token)));
        contracts.staking = address(new AicStaking(IERC20(contracts.token), options.cooldown));
        contracts.splitter = address(new PaymentSplitter(options.treasury, options.burnBps));
    }

    function _report(Contracts memory contracts) private {
        string memory entry = "contracts";
        vm.serializeAddress(entry, "token", contracts.token);
        vm.serializeAddress(entry, "wrapped", contracts.wrapped);
        vm.serializeAddress(entry, "staking", contracts.staking);
        string memory json = vm.serializeAddress(entry, "splitter", contracts.splitter);
        console.log(json);
        // The local chain is thrown away, and its addresses with it.
        if (!vm.isContext(VmSafe.ForgeContext.ScriptBroadcast) || block.chainid == 31337) return;
        vm.writeJson(json, FILE, string.concat(".", vm.toString(block.chainid)));
    }
}
