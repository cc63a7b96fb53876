import { readStatSums } from '../../../db/queries/stats.ts'
import { AIC_DECIMALS, formatAmount } from '../../../protocol/money.ts'
import { withDeadline } from '../../lib/http.ts'
import { describeError } from '../../lib/log.ts'
import type { RequestDeps } from '../deps.ts'
import { sumByAsset } from '../pricing/assets.ts'

export interface Stats {
  inferences: { total: number; succeeded: number; failed: number }
  usdcSettled: string
  aicSettled: string
  /** From the chain; null when it could not be asked. */
  aicBurnedAmount: string | null
  models: { id: string; runs: number; successRate: number; p50Seconds: number | null; p95Seconds: number | null }[]
  days: { date: string; runs: number }[]
  asOf: string
}

export const STATS_SECONDS = 60
const CHAIN_MS = 2_000

/** Longer than the statistics take: a caller that reads them has this long before another tries. */
const REFRESH_MS = 10_000

interface Shared {
  stats: Stats
  readAt: number
  /** A caller reads again until then; the others use this result, so that a flood of calls makes one query. */
  refreshingUntil: number
}

const shared = new WeakMap<object, Shared>()

/** AIC that was ever burned of the payment token, also by former splitters; nothing where no splitter is configured. */
async function burnedAic(deps: RequestDeps): Promise<string | null> {
  const { splitterAddress, paymentTokenAddress } = deps.config.aic
  if (splitterAddress === undefined || paymentTokenAddress === undefined) return formatAmount(0n, AIC_DECIMALS)
  const { chainId } = deps.config.networks[0]
  try {
    const burned = await withDeadline(CHAIN_MS, () => deps.chain.totalBurned(chainId, paymentTokenAddress))
    return formatAmount(burned, AIC_DECIMALS)
  } catch (cause) {
    deps.log.error('stats.burned_unreadable', { cause: describeError(cause) })
    return null
  }
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)
/** Four places distinguish 99.99 % from 100 %. */
const rate = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000)

async function computeStats(deps: RequestDeps): Promise<Stats> {
  const [sums, aicBurnedAmount] = await Promise.all([readStatSums(deps.database), burnedAic(deps)])
  const total = (pick: 'succeeded' | 'failed'): number =>
    Number(sums.models.reduce((count, model) => count + model[pick], 0n))
  const [succeeded, failed] = [total('succeeded'), total('failed')]
  const settled = sumByAsset(deps.config, sums.assets)
  return {
    inferences: { total: succeeded + failed, succeeded, failed },
    usdcSettled: settled.usdc,
    aicSettled: settled.aic,
    aicBurnedAmount,
    models: sums.models.map((model) => ({
      id: model.model,
      runs: Number(model.succeeded + model.failed),
      successRate: rate(model.succeeded, model.succeeded + model.failed),
      p50Seconds: seconds(model.p50Ms),
      p95Seconds: seconds(model.p95Ms),
    })),
    days: sums.days.map(({ day, runs }) => ({ date: day, runs: Number(runs) })),
    asOf: deps.now().toISOString(),
  }
}

/** The public statistics, about 60 s old at most; shared within the isolate. Throws `DatabaseUnavailable`. */
export async function readStats(deps: RequestDeps): Promise<Stats> {
  const known = shared.get(deps.upstreams)
  const now = deps.now().getTime()
  if (known !== undefined) {
    if (now - known.readAt < STATS_SECONDS * 1000 || now < known.refreshingUntil) return known.stats
    known.refreshingUntil = now + REFRESH_MS
  }
  const stats = await computeStats(deps)
  shared.set(deps.upstreams, { stats, readAt: deps.now().getTime(), refreshingUntil: 0 })
  return stats
}
