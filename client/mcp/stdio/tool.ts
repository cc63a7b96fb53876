import type { ServerContext } from '@modelcontextprotocol/server'
import { findModel } from '../../node/request.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import type { FreeCalls } from '../free-tools.ts'
import type { Version } from '../versions.ts'

export interface StdioOptions {
  coinslot: Coinslot
  /** The origin of the service. */
  origin: string
  /** The most that any call may cost, a decimal string of USDC. */
  maxUsdc: string
}

/** The SDK's facts about the message that called. */
export type Caller = Pick<ServerContext['mcpReq'], 'signal' | '_meta' | 'notify'>

/** The context of a tool's call, beside its arguments. */
export interface StdioCall extends StdioOptions {
  free: FreeCalls
  caller: Caller
  version: Version
}

/** The free tools' calls, by the client of the command line. */
export const freeCalls = ({ coinslot, maxUsdc }: StdioOptions): FreeCalls => ({
  models: () => coinslot.models(),
  choose: (asked) => findModel(coinslot, asked),
  price: ({ id, task }) => coinslot.estimate({ task, model: id }),
  maxUsdc,
  purchase: async ({ id }) => ({ ...(await coinslot.get(id)) }),
  service: () => coinslot.service(),
})
