import type { HistoryQuery } from '../../src/coinslot.ts'
import { atDesk, type Command, printJson, printTable } from '../command.ts'
import { UsageError } from '../exit.ts'
import { integerFlag, readFlags } from '../flags.ts'
import { PROGRAM } from '../program.ts'
import { taskFlag } from '../request.ts'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

function statusFlag(word: string): (typeof STATUSES)[number] {
  const status = STATUSES.find((one) => one === word)
  if (status === undefined) throw new UsageError(`--status ${word}: give one of ${STATUSES.join(', ')}`)
  return status
}

export const history: Command = {
  summary: 'list what was bought, newest first',
  usage: 'history [--limit N] [--task image|text|sound] [--status succeeded|failed|pending] [--cursor CURSOR]',
  run: async (args) => {
    const { values } = readFlags(args, {
      limit: { type: 'string' },
      cursor: { type: 'string' },
      task: { type: 'string' },
      status: { type: 'string' },
    })
    const query: HistoryQuery = {
      ...(values.limit !== undefined && { limit: integerFlag('--limit', values.limit) }),
      ...(values.cursor !== undefined && { cursor: values.cursor }),
      ...(values.task !== undefined && { task: taskFlag(values.task) }),
      ...(values.status !== undefined && { status: statusFlag(values.status) }),
    }
    await atDesk(values, async ({ desk, screen, isJson }) => {
      const page = await desk.coinslot(await desk.account()).history(query)
      if (isJson) return printJson(page)
      printTable(
        page.items.map(({ id, createdAt, status, model, metrics }) => [
          createdAt.slice(0, 19).replace('T', ' '),
          id,
          status,
          model,
          `${metrics.estimatedCostUsdc} USDC`,
        ]),
      )
      if (page.nextCursor !== null) screen.line(`more: ${PROGRAM} history --cursor ${page.nextCursor}`)
    })
  },
}
