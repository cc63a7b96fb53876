export interface Mutant {
  /** What is wrong with it. */
  name: string
  /** Below `src`. */
  file: string
  from: string
  to: string
  /** The tests that must find it, below `test`. */
  tests: string
}

const presale = 'presale/Presale.sol'
const vault = 'presale/PresaleVault.sol'
const claims = 'presale/ClaimModule.sol'
const buying = 'presale/Buying.t.sol'
const ending = 'presale/Ending.t.sol'
const vaults = 'presale/Vaults.t.sol'
const claiming = 'presale/Claims.t.sol'
const teamRules = 'presale/TeamRules.t.sol'
const pausing = 'presale/Pause.t.sol'

/** One deliberate fault each. The tests must find every one of them. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the cap of a phase is not checked',
    file: presale,
    from: 'aicAmount <= left',
    to: 'left <= left',
    tests: buying,
  },
  {
    name: 'a wallet cap is not checked',
    file: presale,
    from: 'usdcAmount <= leftForWallet',
    to: 'usdcAmount >= 0',
    tests: buying,
  },
  {
    name: 'a purchase leaves the phase open',
    file: presale,
    from: '_soldIn[phaseId] = Books.sum(',
    to: 'Books.sum(',
    tests: buying,
  },
  {
    name: 'a purchase is not counted as raised',
    file: presale,
    from: '_total = Books.sum(_total, piece);',
    to: '',
    tests: buying,
  },
  {
    name: 'the signed nonce leaves out the phase',
    file: presale,
    from: 'abi.encode(phaseId, salt)',
    to: 'abi.encode(salt)',
    tests: buying,
  },
  {
    name: 'an admin who bought cancels by a refund',
    file: presale,
    from: 'if (_endedAt == 0 && _missedSoftCap()) _cancel();',
    to: 'if (_endedAt == 0 && (_missedSoftCap() || hasRole(DEFAULT_ADMIN_ROLE, msg.sender))) _cancel();',
    tests: ending,
  },
  { name: 'a refund is paid twice', file: presale, from: 'delete _positions[buyer][id];', to: '', tests: ending },
  {
    name: 'a refund is paid in a running sale',
    file: presale,
    from: 'require(cancelled || (_endedAt == 0 && block.timestamp >= endsAt()), NotRefundable());',
    to: '',
    tests: ending,
  },
  {
    name: 'finalize does not wait for the cooling-off',
    file: presale,
    from: 'require(block.timestamp >= coolingOffUntil(), CoolingOffUntil(coolingOffUntil()));',
    to: '',
    tests: ending,
  },
  {
    name: 'finalize below the soft cap',
    file: presale,
    from: '_total.usdc >= softCap',
    to: '_total.usdc >= 0',
    tests: ending,
  },
  {
    name: 'anyone cancels',
    file: presale,
    from: 'hasRole(DEFAULT_ADMIN_ROLE, msg.sender) || _missedSoftCap()',
    to: 'true',
    tests: ending,
  },
  {
    name: 'claims need not be covered',
    file: presale,
    from: 'held >= caps',
    to: 'caps >= 0',
    tests: 'presale/PresaleSetup.t.sol',
  },
  {
    name: 'the end of the sale may be far away',
    file: presale,
    from: '&& previousEnd <= phases[0].start + LONGEST_SALE',
    to: '',
    tests: 'presale/PresaleSetup.t.sol',
  },
  {
    name: 'anyone pays out the vault',
    file: vault,
    from: 'require(msg.sender == presale, OnlyPresale());',
    to: '',
    tests: vaults,
  },
  {
    name: 'USDC is routed before the sale is final',
    file: vault,
    from: 'if (IPresale(presale).state() != IPresale.State.Finalized) return 0;',
    to: '',
    tests: vaults,
  },
  { name: 'a vault is paid its share again', file: vault, from: 'routed[index] += amount;', to: '', tests: vaults },
  {
    name: 'the share is of the balance alone',
    file: vault,
    from: 'balance + totalRouted',
    to: 'balance',
    tests: vaults,
  },
  {
    name: 'the remainder stays',
    file: vault,
    from: 'if (index + 1 != _routes.length) return',
    to: 'return',
    tests: vaults,
  },
  { name: 'a claim is paid again', file: claims, from: '_claimed[msg.sender] = vested;', to: '', tests: claiming },
  {
    name: 'sweeping takes what buyers are owed',
    file: claims,
    from: '? IPresale(presale).totalSold() - totalClaimed : 0',
    to: '? 0 : 0',
    tests: claiming,
  },
  { name: 'the TGE moves back', file: claims, from: '&& time <= latest', to: '', tests: claiming },
  {
    name: 'a claim ignores the pause',
    file: claims,
    from: 'external whenNotPaused {',
    to: 'external {',
    tests: claiming,
  },
  {
    name: 'the pause never ends',
    file: 'presale/TimedPause.sol',
    from: 'require(used < PAUSE_WINDOW, PauseUsedUp());',
    to: 'used = 0;',
    tests: pausing,
  },
  {
    name: 'the operator pays anyone',
    file: 'presale/OperatorVault.sol',
    from: 'require(isPayee(to), NotAPayee(to));',
    to: '',
    tests: vaults,
  },
  {
    name: 'locked AIC is spent',
    file: 'presale/OperatorVault.sol',
    from: 'require(amount <= free, StillLocked(free, amount));',
    to: '',
    tests: vaults,
  },
  {
    name: 'the cliff is ignored',
    file: 'presale/Vesting.sol',
    from: 'if (time <= start) return atTge;',
    to: 'if (time <= tge) return atTge; start = tge;',
    tests: vaults,
  },
  {
    name: 'another supply',
    file: 'AicToken.sol',
    from: 'require(totalSupply() == SUPPLY, SupplyMismatch(totalSupply()));',
    to: '',
    tests: 'AicToken.t.sol',
  },
  {
    name: 'a stake leaves without its wait',
    file: 'AicStaking.sol',
    from: 'block.timestamp >= releaseTime',
    to: 'releaseTime > 0',
    tests: 'AicStaking.t.sol',
  },
  {
    name: 'burned AIC stays in the wrapper',
    file: 'WrappedAic.sol',
    from: 'underlying().safeTransfer(DEAD, amount);',
    to: '',
    tests: 'WrappedAic.t.sol',
  },
  {
    name: 'a sale that is sold out ends at once',
    file: presale,
    from: 'block.timestamp >= endsAt(), NotFinished()',
    to: '(block.timestamp >= endsAt() || _soldIn[phaseCount].aic == _phases[phaseCount].cap), NotFinished()',
    tests: ending,
  },
  {
    name: 'the cooling-off has no length',
    file: presale,
    from: 'return endsAt() + coolingOff;',
    to: 'return endsAt();',
    tests: ending,
  },
  {
    name: 'unsold AIC moves before the buyers have theirs',
    file: claims,
    from: 'require(block.timestamp >= from, BuyersFirst(from));',
    to: '',
    tests: teamRules,
  },
  {
    name: 'claims are paused right after the TGE',
    file: claims,
    from: 'require(!justBegan, ClaimsJustBegan(begins + PAUSE_WINDOW));',
    to: '',
    tests: teamRules,
  },
  {
    name: 'the TGE comes without notice',
    file: claims,
    from: 'block.timestamp + notice',
    to: 'block.timestamp',
    tests: teamRules,
  },
  {
    name: 'vaults spend AIC while claims are paused',
    file: 'presale/OperatorVault.sol',
    from: 'if (block.timestamp < IClaimModule(claimModule).pausedUntil()) return 0;',
    to: '',
    tests: teamRules,
  },
  {
    name: 'a new operator counts at once',
    file: 'presale/OperatorVault.sol',
    from: 'require(block.timestamp >= from, NotYet(from));',
    to: '',
    tests: teamRules,
  },
  {
    name: 'a new payee counts at once',
    file: 'presale/OperatorVault.sol',
    from: 'payeeFrom[payee] = block.timestamp + notice;',
    to: 'payeeFrom[payee] = block.timestamp;',
    tests: teamRules,
  },
  {
    name: 'a removed operator keeps its date',
    file: 'presale/OperatorVault.sol',
    from: 'if (role == operatorRole) delete operatorFrom[account];',
    to: '',
    tests: vaults,
  },
  {
    name: 'anyone takes what was sent by mistake',
    file: presale,
    from: 'external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {\n        emit MistakenReturned',
    to: 'external nonReentrant {\n        emit MistakenReturned',
    tests: 'presale/Fairness.t.sol',
  },
]
