import { pluralOf } from '../../shared/texts.ts'
import { shared } from '../../shared/words/en.ts'

export { pageMessages } from './page-messages.ts'

const plural = pluralOf(shared.format.locale)

/** The texts of the dashboard's frame, its notices and its words for contracts. */
export const messages = {
  title: (page: string) => `${page} · AIC dashboard · Coinslot`,
  brand: 'Coinslot',
  name: 'AIC dashboard',
  lead: 'The AIC presale, its vaults, claims, roles and launch checklist, read from the chain.',
  noScript: 'This page reads the chain in your browser, and needs JavaScript for that.',
  nav: {
    label: 'Pages',
    sale: 'Sale',
    treasury: 'Treasury',
    token: 'Token',
    roles: 'Roles',
    checklist: 'Checklist',
  },
  footer: 'Read from the chain by this browser. It asks no server of ours, and changes nothing.',
  loading: 'Reading the chain',
  unread: 'could not be read',
  unknown: 'unknown',
  none: 'none',
  status: {
    label: 'State of these figures',
    live: (network: string, block: string) => `${network}, block ${block}`,
    ago: (seconds: number) => (seconds < 2 ? 'now' : `${seconds} s ago`),
    reading: (network: string) => `${network}: reading the chain for the first time`,
    behind: (message: string) => `The node is behind. ${message} The figures below are the newest that it returned.`,
    unreachable: (message: string) => `The node does not answer: ${message}`,
    kept: (time: string) => `The figures below are those of ${time}.`,
    retry: 'It is asked again every five seconds.',
    partial: (block: string, blocks: string) =>
      `This node searches only ${blocks} blocks in a call, so events before block ${block} were not read. Balances, totals and dates are complete. Name a node with a larger range to see all events.`,
    purchasesMissing: 'Older purchases are still being read, one block at a time.',
    dropped: (count: number) =>
      plural(count, {
        one: '1 event was replaced by a reorganisation.',
        other: `${count} events were replaced by reorganisations.`,
      }),
    unread: (reason: string) => `A part could not be read: ${reason}`,
  },
  notConfigured: {
    title: 'The presale is not configured',
    local: 'This local stack has no presale. Start it with one, then load this page again.',
    built: 'These variables are missing. Set them and build the dashboard again.',
  },
  notLoaded: 'The dashboard could not start. Load the page again.',
  alerts: {
    title: 'To look at',
    fine: 'Nothing unusual.',
    severity: { bad: 'Urgent', warn: 'Note' },
    nodeBehind: (time: string) => `The newest block of this node is ${time} old.`,
    paused: (contract: string, until: string) =>
      `${contract} is paused until ${until} at the latest. The pause ends by itself. While claims are paused the vaults cannot spend AIC.`,
    pauseAlmostUsed: (contract: string, hours: string) => `${contract} has used ${hours} of its 72 hours of pause.`,
    notFinalized: (since: string) =>
      `The cooling-off ended on ${since} and the sale was not finalized. Anyone can call finalize; until then buyers can leave.`,
    softCapMissed: (missing: string) =>
      `The sale misses its soft cap by ${missing}. Anyone can call cancel, and every buyer refund.`,
    nearSoftCap: (raised: string) => `${raised} are left in the sale, less than 110% of its soft cap.`,
    tgeSet: (time: string, at: string) => `Claims begin earlier, on ${time}. That was announced on ${at}.`,
    notRouted: (vault: string, amount: string) => `${amount} is due to ${vault} for over a day. Anyone can call route.`,
    claimsNotCovered: (amount: string) => `The claim module lacks ${amount} of what it owes to the buyers.`,
    muchSpent: (vault: string, percent: number) => `${vault} spent ${percent}% of a token within a day.`,
    adminChanging: (contract: string, to: string, from: string) =>
      `The admin of ${contract} is to become ${to}, from ${from} on.`,
    roleChanged: (contract: string, account: string, granted: boolean, at: string) =>
      `${contract}: a role was ${granted ? 'granted to' : 'taken from'} ${account} on ${at}.`,
    payeeChanged: (contract: string, account: string, granted: boolean, at: string) =>
      `${contract}: ${account} ${granted ? 'can now be paid' : 'can no longer be paid'}, since ${at}.`,
    check: (check: string, detail: string) => `Checklist, ${check}: ${detail}.`,
  },
  contracts: {
    presale: 'Presale',
    presaleVault: 'Presale vault',
    claimModule: 'Claim module',
    liquidityVault: 'Liquidity vault',
    devVault: 'Dev vault',
    teamVault: 'Team vault',
    marketingVault: 'Marketing vault',
    aicToken: 'AIC token',
    usdc: 'USDC',
    staking: 'Staking',
    wrapped: 'Wrapped AIC',
    splitter: 'Payment splitter',
  },
  /** By the names of the specification. */
  allocations: {
    Community: 'Community',
    Team: 'Team',
    Investors: 'Investors',
    Treasury: 'Treasury',
    Incentives: 'Incentives',
    Liquidity: 'Liquidity',
  },
  vaults: { liquidity: 'Liquidity vault', dev: 'Dev vault', team: 'Team vault', marketing: 'Marketing vault' },
  accounts: {
    safe: (threshold: number, owners: number) =>
      owners === 0 ? `Multisig, ${threshold} signatures` : `Multisig, ${threshold} of ${owners}`,
    contract: 'Other contract',
    key: 'One key',
  },
  chart: { table: 'Show as a table', day: 'Day', week: 'Week of', total: 'Total', running: 'In all' },
  usdc: (amount: string) => `${amount} USDC`,
  aic: (amount: string) => `${amount} AIC`,
  hours: (hours: string) => `${hours} h`,
  address: 'address',
  transaction: 'transaction',
} as const
