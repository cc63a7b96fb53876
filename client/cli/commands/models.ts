import { taskFlag } from '../../node/request.ts'
import { TASK_WORDS } from '../../src/tasks.ts'
import { type Command, printJson, printTable, withContext } from '../command.ts'
import { readFlags } from '../flags.ts'

export const models: Command = {
  summary: 'list the models and their prices',
  usage: 'models [--task TASK]',
  help: `  --task TASK  ${TASK_WORDS}\n`,
  run: async (args) => {
    const { values } = readFlags(args, { task: { type: 'string' } })
    const task = values.task === undefined ? undefined : taskFlag(values.task)
    await withContext(values, async ({ context, isJson }) => {
      const all = await context.coinslot().models()
      const shown = all.filter((model) => task === undefined || model.task === task)
      if (isJson) return printJson(shown)
      printTable(
        shown.map((model) => [
          model.id,
          model.task,
          `${model.estimatedCostUsdc} USDC`,
          `${model.estimatedSeconds} s`,
          model.tier,
        ]),
      )
    })
  },
}
