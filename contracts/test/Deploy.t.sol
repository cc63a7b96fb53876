// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Deploy} from "../script/Deploy.s.sol";
import {AicStaking} from "../src/AicStaking.sol";
import {PaymentSplitter} from "../src/PaymentSplitter.sol";
import {WrappedAic} from "../src/WrappedAic.sol";
import {Fixture} from "./Fixture.sol";

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

    function test_RevertWhen_RealMoneyWouldGetASecondAic() public {
        Deploy.Options memory options = _options(address(0));
        vm.chainId(1);
        vm.expectRevert(abi.encodeWithSelector(Deploy.TokenAddressMissing.selector, 1));
        _script.check(options);
        vm.chainId(8453);
        vm.expectRevert(abi.encodeWithSelector(Deploy.TokenAddressMissing.selector, 8453));
        _script.check(options);
    }

    function test_RevertWhen_TheTokenIsNoContract() public {
        vm.expectRevert(abi.encodeWithSelector(Deploy.TokenHasNoCode.selector, alice.addr));
        _script.check(_options(alice.addr));
    }

    function _options(address token) private view returns (Deploy.Options memory) {
        return Deploy.Options({token: token, treasury: treasury, burnBps: BURN_BPS, cooldown: COOLDOWN});
    }
}
