import type { Screen } from '../../client/cli/terminal.ts'
import { findLocalStack, type LocalStack } from '../../client/node/local-stack.ts'
import { startStack } from '../stack/stack.ts'
import type { DemoFlags } from './flags.ts'

/** Where the demo buys. */
export interface Target {
  /** Null for another deployment. */
  stack: LocalStack | null
  /** The variables that name the service and the key for the client. */
  env: NodeJS.ProcessEnv
  close(): Promise<void>
}

/** The named deployment, else the running local stack, else a new stack that ends with the demo. */
export async function openTarget(flags: DemoFlags, screen: Screen): Promise<Target> {
  const close = async (): Promise<void> => undefined
  if (flags.origin !== undefined) return { stack: null, env: process.env, close }
  const running = await findLocalStack()
  if (running !== null) {
    screen.line(`  using the stack at ${running.origin}`)
    return { stack: running, env: envOf(running, flags), close }
  }
  screen.wait('starting a stack, since none runs')
  const { info, stop } = await startStack({ shell: process.env, site: false, limits: false })
  screen.done('started a stack', info.origin)
  return { stack: info, env: envOf(info, flags), close: stop }
}

function envOf(stack: LocalStack, { pay, stake }: DemoFlags): NodeJS.ProcessEnv {
  // The first buyer has no AIC; the last of the usual five has some to stake or to pay with.
  const buyer = stack.buyers[pay === 'aic' || stake !== undefined ? 4 : 0]
  return {
    ...process.env,
    COINSLOT_ORIGIN: stack.origin,
    COINSLOT_CHAIN_ID: String(stack.chainId),
    COINSLOT_KEYSTORE: '',
    COINSLOT_PRIVATE_KEY: buyer?.privateKey,
    COINSLOT_BUDGET: undefined,
  }
}
