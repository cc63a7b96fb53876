import { type Command, withContext } from '../command.ts'
import { given, readFlags, SPENDING_OPTIONS, usdcFlag } from '../flags.ts'

/** A model that goes wrong may go wrong often: without limits of the person's own these hold. */
const DEFAULT_MAX_USDC = '0.100000'
const DEFAULT_BUDGET = '1.000000'

export const mcp: Command = {
  summary: 'serve the tools list_models, estimate, generate_image, write_text, speak to a language model (MCP, stdio)',
  usage: 'mcp [--max-usdc N] [--budget N]',
  help: `  --max-usdc N  the most that one call may cost (default ${DEFAULT_MAX_USDC})
  --budget N    the most that this wallet may spend in 24 hours, all processes together (default ${DEFAULT_BUDGET})
`,
  run: async (args) => {
    const { values } = readFlags(args, SPENDING_OPTIONS)
    const maxUsdc = given(values, 'max-usdc', process.env, usdcFlag) ?? DEFAULT_MAX_USDC
    const budget = given(values, 'budget', process.env, usdcFlag) ?? DEFAULT_BUDGET
    await withContext({ ...values, 'max-usdc': maxUsdc, budget, quiet: true }, async ({ context }) => {
      // Only this command needs the protocol's code.
      const [{ StdioServerTransport }, { makeMcpServer }, { watchTransport }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('../../mcp/server.ts'),
        import('../../mcp/watch-transport.ts'),
      ])
      const coinslot = context.coinslot(context.hasKey ? await context.account() : undefined, { patient: true })
      const transport = new StdioServerTransport()
      const { idle, version } = watchTransport(transport)
      const server = makeMcpServer({ coinslot, origin: context.origin, maxUsdc, version })
      const closed = new Promise<void>((resolve) => {
        server.onclose = resolve
        // The SDK's transport notices neither end. After the end of the input, open requests are still answered.
        process.stdin.once('end', () => void idle().then(() => server.close()))
        process.stdout.once('error', () => void server.close())
      })
      await server.connect(transport)
      await closed
    })
  },
}
