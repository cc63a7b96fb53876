import { UsageError } from '../../node/errors.ts'
import { PROGRAM } from '../../node/program.ts'
import { taskFlag } from '../../node/request.ts'
import type { HistoryQuery } from '../../src/coinslot.ts'
import { TASK_WORDS } from '../../src/tasks.ts'
import { type Command, printJson, printTable, withContext } from '../command.ts'
import { integerFlag, readFlags } from '../flags.ts'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

function statusFlag(word: string): (typeof STATUSES)[number] {
  const status = STATUSES.find((one) => one === word)
  if (status === undefined) throw new UsageError(`--status ${word}: give one of ${STATUSES.join(', ')}`)
  return status
}

export const history: Command = {
  summary: 'list what was bought, newest first',
  usage: 'history [--limit N] [--task TASK] [--status succeeded|failed|pending] [--cursor CURSOR]',
  help: `  --task TASK  ${TASK_WORDS}\n`,
  run: async (args) => {
    const { values } = readFlags(args, {
      limit: { type: 'string' },
      cursor: { type: 'string' },
      task: { type: 'string' },
      status: { type: 'string' },
    })
    const query: HistoryQuery = {
      ...(values.limit !== undefined && { limit: integerFlag('--limit', values.limit, { max: 100 }) }),
      ...(values.cursor !== undefined && { cursor: values.cursor }),
      ...(values.task !== undefined && { task: taskFlag(values.task) }),
      ...(values.status !== undefined && { status: statusFlag(values.status) }),
    }
    await withContext(values, async ({ context, screen, isJson }) => {
      const page = await context.coinslot(await context.account()).history(query)
      if (isJson) return printJson(page)
      if (page.items.length === 0) return screen.line('There is nothing in this list.')
      printTable(
        page.items.map(({ id, createdAt, status, model, metrics }) => [
          `${createdAt.slice(0, 19).replace('T', ' ')} UTC`,
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
