import { atDesk, type Command, printJson, printLine } from '../command.ts'
import { UsageError } from '../exit.ts'
import { readFlags } from '../flags.ts'
import { saveResult } from '../output.ts'
import { PROGRAM } from '../program.ts'

export const get: Command = {
  summary: 'show one inference that was bought, or write it to a file again',
  usage: 'get ID [--out PATH]',
  run: async (args) => {
    const { values, positionals } = readFlags(args, { out: { type: 'string' } })
    const [id] = positionals
    if (id === undefined) throw new UsageError(`Which one? \`${PROGRAM} history\` lists their ids.`)
    await atDesk(values, async ({ desk }) => {
      const record = await desk.coinslot(await desk.account()).get(id)
      if (values.out === undefined) return printJson(record)
      const { status, output } = record
      if (status !== 'succeeded' || output === null) throw new UsageError(`${id} has no output: it is ${status}.`)
      for (const file of await saveResult({ id, status, output, metrics: record.metrics }, values.out)) printLine(file)
    })
  },
}
