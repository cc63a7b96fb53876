// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice Holds staked AIC. A stake entitles its owner to discounts and access and earns nothing else.
/// @dev Leaving takes two steps: {unstake} ends the stake at once, {withdraw} pays out after the cooldown. Each {unstake}
/// is a portion with its own time, up to 8 of them at once. Tokens that count as staked can therefore not be returned in
/// the same block, so a flash loan is useless. Only an account itself can move its stake; there is no owner, no pause and
/// no way to change the cooldown. Each stake is the sum of what arrived, never a share of the balance, so tokens sent here
/// directly change no stake.
interface IAicStaking {
    /// @notice `account` staked.
    /// @param account Owner of the stake.
    /// @param amount What arrived and was credited, atomic units.
    event Staked(address indexed account, uint256 amount);

    /// @notice `account` ended a part of its stake.
    /// @param account Owner of the stake.
    /// @param amount Atomic units that stopped counting.
    /// @param releaseTime Unix seconds from which they can be withdrawn.
    event Unstaked(address indexed account, uint256 amount, uint256 releaseTime);

    /// @notice `account` was paid out.
    /// @param account Owner and receiver.
    /// @param amount Atomic units.
    event Withdrawn(address indexed account, uint256 amount);

    /// @notice A part of a stake that was unstaked and not withdrawn yet.
    struct Portion {
        /// Atomic units.
        uint96 amount;
        /// Unix seconds from which it can be withdrawn.
        uint48 releaseTime;
    }

    /// @notice There is no contract at the address of the token given to the constructor.
    /// @param token Its address.
    error TokenHasNoCode(address token);

    /// @notice The cooldown given to the constructor is zero or longer than 30 days.
    /// @param cooldown Seconds.
    error CooldownOutOfRange(uint256 cooldown);

    /// @notice The amount, or what arrived of it, is zero.
    error ZeroAmount();

    /// @notice More was asked back than is staked.
    /// @param staked What the account has staked, atomic units.
    /// @param amount What it asked for.
    error StakeTooSmall(uint256 staked, uint256 amount);

    /// @notice Eight portions were unstaked and not withdrawn yet; withdraw the first of them before the next {unstake}.
    /// @param releaseTime Unix seconds from which the first of them can be withdrawn.
    error TooManyPortions(uint256 releaseTime);

    /// @notice Nothing can be withdrawn now.
    /// @param pending Atomic units that still wait.
    /// @param releaseTime Unix seconds from which the first of them can be withdrawn; 0 when nothing waits.
    error NothingToWithdraw(uint256 pending, uint256 releaseTime);

    /// @notice What counts as staked by `account` now.
    /// @param account Any address.
    /// @return Atomic units.
    function stakedBalance(address account) external view returns (uint256);

    /// @notice Takes `amount` from the caller, who has approved it, and counts what arrives as staked at once.
    /// @param amount Atomic units.
    function stake(uint256 amount) external;

    /// @notice {stake} with an EIP-2612 permit instead of an approval. A permit that another account sent first does
    /// no harm: its approval is used.
    /// @param amount Atomic units, staked and permitted.
    /// @param deadline Unix seconds until which the permit may be used.
    /// @param v Of the permit's signature.
    /// @param r Of the permit's signature.
    /// @param s Of the permit's signature.
    function stakeWithPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Ends `amount` of the caller's stake at once; it can be withdrawn after the cooldown. Earlier portions keep
    /// their own times. A ninth portion is refused until the first has been withdrawn.
    /// @param amount Atomic units.
    function unstake(uint256 amount) external;

    /// @notice Pays the caller every portion that is past its cooldown.
    function withdraw() external;

    /// @notice What waits for its cooldown to end, in all.
    /// @param account Any address.
    /// @return amount Atomic units; 0 when nothing waits.
    /// @return releaseTime Unix seconds from which all of `amount` can be withdrawn; 0 when nothing waits.
    function pendingWithdrawal(address account) external view returns (uint256 amount, uint256 releaseTime);

    /// @notice All portions that were not withdrawn yet, the oldest first.
    /// @param account Any address.
    /// @return Up to 8 portions; those at or past their time are paid by {withdraw}.
    function portions(address account) external view returns (Portion[] memory);

    /// @notice What {withdraw} would pay `account` now.
    /// @param account Any address.
    /// @return Atomic units.
    function withdrawable(address account) external view returns (uint256);

    /// @notice Time between {unstake} and {withdraw}.
    /// @return Seconds, 1 to 30 days, fixed for ever.
    function cooldown() external view returns (uint256);

    /// @notice The token that is staked.
    /// @return Its address.
    function token() external view returns (address);
}
