// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Deploy} from "../script/Deploy.s.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {PaymentSplitter} from "../src/PaymentSplitter.sol";
import {WrappedAic} from "../src/WrappedAic.sol";
import {Fixture} from "./Fixture.sol";
import {PlainToken} from "./mocks/Tokens.sol";

contract DeployTest is Fixture {
    Deploy private _script = new Deploy();

    function test_DeploysAllFour() public {
        Deploy.Contracts memory made = _script.deploy(_options(address(0)), alice.addr);
        assertEq(WrappedAic(made.token).balanceOf(alice.addr), 1e27);
        assertEq(address(WrappedAic(made.wrapped).underlying()), made.token);
        assertEq(AicStaking(made.staking).token(), made.token);
        assertEq(AicStaking(made.staking).cooldown(), 7 days);
        assertEq(PaymentSplitter(made.splitter).treasury(), treasury);
        assertEq(PaymentSplitter(made.splitter).burnBps(), 2000);
    }

    function test_UsesAnAicThatIsThere() public {
        Deploy.Options memory options = _options(address(aic));
        vm.chainId(1);
        _script.check(options);
        Deploy.Contracts memory made = _script.deploy(options, alice.addr);
        assertEq(made.token, address(aic));
        assertEq(AicStaking(made.staking).token(), address(aic));
    }

    function test_RevertWhen_TheBurnShareIsMoreThanAll() public {
        Deploy.Options memory options = _options(address(0));
        options.burnBps = 10_000;
        _script.check(options);
        options.burnBps = 10_001;
        vm.expectRevert(abi.encodeWithSelector(Deploy.BurnShareTooLarge.selector, 10_001));
        _script.check(options);
    }

    function test_RevertWhen_AChainThatIsNoTestChainWouldGetASecondAic() public {
        Deploy.Options memory options = _options(address(0));
        uint256[6] memory chains = [uint256(1), 8453, 42161, 10, 137, 0];
        for (uint256 i = 0; i < chains.length; ++i) {
            vm.chainId(chains[i]);
            vm.expectRevert(abi.encodeWithSelector(Deploy.TokenAddressMissing.selector, chains[i]));
            _script.check(options);
        }
        uint256[3] memory tests = [uint256(31337), 11155111, 84532];
        for (uint256 i = 0; i < tests.length; ++i) {
            vm.chainId(tests[i]);
            _script.check(options);
        }
    }

    /// @dev No code, no token, other decimals, another supply, no EIP-2612.
    function test_RevertWhen_TheTokenIsNotAic() public {
        PlainToken plain = new PlainToken();
        plain.mint(alice.addr, 1e27);
        address[5] memory wrong =
            [alice.addr, address(splitter), address(staking), address(wrapped), address(plain)];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Deploy.NotAic.selector, wrong[i]));
            _script.check(_options(wrong[i]));
        }
    }

    function test_RevertWhen_TheTreasuryIsTheToken() public {
        Deploy.Options memory options = _options(address(aic));
        options.treasury = address(aic);
        vm.expectRevert(Deploy.TreasuryIsToken.selector);
        _script.check(options);
    }

    function _options(address token) private view returns (Deploy.Options memory) {
        return Deploy.Options({token: token, treasury: treasury, burnBps: BURN_BPS, cooldown: COOLDOWN});
    }
}
