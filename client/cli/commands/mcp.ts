import { type Command, withContext } from '../command.ts'
import { given, readFlags, SPENDING_OPTIONS, usdcFlag } from '../flags.ts'

/** A model may make many wrong calls. These limits apply where the person sets none. */
const DEFAULT_MAX_USDC = '0.100000'
const DEFAULT_BUDGET = '1.000000'

export const mcp: Command = {
  summary: 'serve the tools of Coinslot to a language model (MCP, stdio)',
  usage: 'mcp [--max-usdc N] [--budget N]',
  help: `  --max-usdc N  the most that one call may cost (default ${DEFAULT_MAX_USDC})
  --budget N    the most that this wallet may sign in 24 hours, all processes on this machine together (default ${DEFAULT_BUDGET})
The budget counts every payment when it is signed, also one that the service calls unused: the service is not trusted to say
so. It is a limit of this machine and of USDC. Another machine with the same key, or a key that leaks, is not limited by it,
so keep in this wallet only what you can lose.
`,
  run: async (args) => {
    const { values } = readFlags(args, SPENDING_OPTIONS)
    const maxUsdc = given(values, 'max-usdc', process.env, usdcFlag) ?? DEFAULT_MAX_USDC
    const budget = given(values, 'budget', process.env, usdcFlag) ?? DEFAULT_BUDGET
    await withContext({ ...values, 'max-usdc': maxUsdc, budget, quiet: true }, async ({ context }) => {
      // Only this command loads the MCP code.
      const { serveTools } = await import('../../mcp/stdio/serve.ts')
      const coinslot = context.coinslot(context.hasKey ? await context.account() : undefined, { persistent: true })
      await serveTools({ coinslot, origin: context.origin, maxUsdc }, process.stdin, process.stdout)
    })
  },
}
