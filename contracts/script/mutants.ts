import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgeBinary } from './forge.ts'

const CONTRACTS = join(import.meta.dirname, '..')
/** Beside `contracts`, so that the paths in foundry.toml hold. */
const COPY = join(CONTRACTS, '../.mutants')
const PARTS = ['src', 'test', 'script', 'tools', 'launch', 'foundry.toml', 'addresses.json']

interface Mutant {
  /** What is wrong with it. */
  name: string
  /** Below `src`. */
  file: string
  from: string
  to: string
}

const presale = 'presale/Presale.sol'
const vault = 'presale/PresaleVault.sol'
const claims = 'presale/ClaimModule.sol'

/** One deliberate fault each. The tests must find every one of them. */
const MUTANTS: readonly Mutant[] = [
  { name: 'the cap of a phase is not checked', file: presale, from: 'aicAmount <= left', to: 'left <= left' },
  { name: 'a wallet cap is not checked', file: presale, from: 'usdcAmount <= leftForWallet', to: 'usdcAmount >= 0' },
  { name: 'a purchase leaves the phase open', file: presale, from: '_soldIn[phaseId] = _sum(', to: '_sum(' },
  { name: 'a purchase is not counted as raised', file: presale, from: '_total = _sum(_total, piece);', to: '' },
  {
    name: 'the signed nonce leaves out the phase',
    file: presale,
    from: 'abi.encode(phaseId, salt)',
    to: 'abi.encode(salt)',
  },
  {
    name: 'an admin who bought cancels by a refund',
    file: presale,
    from: 'if (_endedAt == 0 && _missedSoftCap()) _cancel();',
    to: 'if (_endedAt == 0 && (_missedSoftCap() || hasRole(DEFAULT_ADMIN_ROLE, msg.sender))) _cancel();',
  },
  { name: 'a refund is paid twice', file: presale, from: 'delete _positions[buyer][id];', to: '' },
  {
    name: 'a refund is paid in a running sale',
    file: presale,
    from: 'require(cancelled || (_endedAt == 0 && _canLeave()), NotRefundable());',
    to: '',
  },
  {
    name: 'finalize does not wait for buyers who leave',
    file: presale,
    from: 'require(!_canLeave(), LeavingUntil(leavingUntil()));',
    to: '',
  },
  { name: 'finalize below the soft cap', file: presale, from: '_total.usdc >= softCap', to: '_total.usdc >= 0' },
  {
    name: 'anyone cancels',
    file: presale,
    from: 'hasRole(DEFAULT_ADMIN_ROLE, msg.sender) || _missedSoftCap()',
    to: 'true',
  },
  { name: 'claims need not be covered', file: presale, from: 'held >= caps', to: 'caps >= 0' },
  { name: 'anyone pays out the vault', file: vault, from: 'require(msg.sender == presale, OnlyPresale());', to: '' },
  {
    name: 'USDC is routed before the sale is final',
    file: vault,
    from: 'if (IPresale(presale).state() != IPresale.State.Finalized) return 0;',
    to: '',
  },
  { name: 'a vault is paid its share again', file: vault, from: 'routed[index] += amount;', to: '' },
  { name: 'the share is of the balance alone', file: vault, from: 'balance + totalRouted', to: 'balance' },
  { name: 'the remainder stays', file: vault, from: 'if (index + 1 != _routes.length) return', to: 'return' },
  { name: 'a claim is paid again', file: claims, from: '_claimed[msg.sender] = vested;', to: '' },
  {
    name: 'sweeping takes what buyers are owed',
    file: claims,
    from: '? IPresale(presale).totalSold() - totalClaimed : 0',
    to: '? 0 : 0',
  },
  { name: 'the TGE moves back', file: claims, from: '&& time <= latest', to: '' },
  { name: 'a claim ignores the pause', file: claims, from: 'external whenNotPaused {', to: 'external {' },
  {
    name: 'the pause never ends',
    file: 'presale/TimedPause.sol',
    from: 'require(used < PAUSE_WINDOW, PauseUsedUp());',
    to: 'used = 0;',
  },
  {
    name: 'the operator pays anyone',
    file: 'presale/OperatorVault.sol',
    from: 'require(isPayee[to], NotAPayee(to));',
    to: '',
  },
  {
    name: 'locked AIC is spent',
    file: 'presale/OperatorVault.sol',
    from: 'require(amount <= releasable(), StillLocked(releasable(), amount));',
    to: '{}',
  },
  {
    name: 'the cliff is ignored',
    file: 'presale/Vesting.sol',
    from: 'if (time <= start) return atTge;',
    to: 'if (time <= tge) return atTge; start = tge;',
  },
  {
    name: 'another supply',
    file: 'AicToken.sol',
    from: 'require(totalSupply() == SUPPLY, SupplyMismatch(totalSupply()));',
    to: '',
  },
  {
    name: 'a stake leaves without its wait',
    file: 'AicStaking.sol',
    from: 'block.timestamp >= releaseTime',
    to: 'releaseTime > 0',
  },
  {
    name: 'burned AIC stays in the wrapper',
    file: 'WrappedAic.sol',
    from: 'underlying().safeTransfer(DEAD, amount);',
    to: '',
  },
]

/** Runs the tests on a copy with one fault. Returns whether a test found it. */
function isFound({ name, file, from, to }: Mutant): boolean {
  const path = join(COPY, 'src', file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${name}: ${file} does not contain its text exactly once.`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    const build = spawnSync(forgeBinary(), ['build', '--quiet'], { cwd: COPY, encoding: 'utf8' })
    if (build.status !== 0) throw new Error(`${name}: it does not compile.\n${build.stderr}`)
    const args = ['test', '--fail-fast', '--no-match-test', 'test_Gas_']
    return spawnSync(forgeBinary(), args, { cwd: COPY, stdio: 'ignore' }).status !== 0
  } finally {
    writeFileSync(path, source)
  }
}

mkdirSync(COPY, { recursive: true })
for (const part of PARTS) cpSync(join(CONTRACTS, part), join(COPY, part), { recursive: true })
try {
  const survivors = MUTANTS.filter((mutant) => {
    const found = isFound(mutant)
    console.log(`${found ? '✓ found ' : '✗ missed'}  ${mutant.name}`)
    return !found
  })
  const found = MUTANTS.length - survivors.length
  console.log(`${found} tests passed, ${survivors.length} failed, 0 skipped (${MUTANTS.length} total tests)`)
  if (survivors.length > 0) process.exitCode = 1
} finally {
  rmSync(COPY, { recursive: true, force: true })
}
