import { findModel, taskFlag } from '../../node/request.ts'
import { TASK_WORDS } from '../../src/tasks.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import { readFlags } from '../flags.ts'

export const estimate: Command = {
  summary: 'show what a run would cost',
  usage: 'estimate [--model ID | --task TASK]',
  help: `  --task TASK  ${TASK_WORDS}\n`,
  run: async (args) => {
    const { values } = readFlags(args, { model: { type: 'string' }, task: { type: 'string' } })
    const task = values.task === undefined ? undefined : taskFlag(values.task)
    await withContext(values, async ({ context, isJson }) => {
      const coinslot = context.hasKey ? context.coinslot(await context.account()) : context.coinslot()
      const model = await findModel(coinslot, { task, model: values.model })
      const price = await coinslot.estimate({ task: model.task, model: model.id })
      if (isJson) printJson({ model: model.id, ...price })
      else printLine(`${price.estimatedCostUsdc} USDC for about ${price.estimatedSeconds} s of ${model.id}`)
    })
  },
}
