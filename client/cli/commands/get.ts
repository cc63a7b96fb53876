import { UsageError } from '../../node/errors.ts'
import { PROGRAM } from '../../node/program.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import { readFlags } from '../flags.ts'
import { saveResult } from '../output.ts'

export const get: Command = {
  summary: 'show one inference that was bought, or write its result to a file',
  usage: 'get ID [--out PATH [--force]]',
  run: async (args) => {
    const { values, positionals } = readFlags(args, { out: { type: 'string' }, force: { type: 'boolean' } }, 1)
    const [id] = positionals
    if (id === undefined) throw new UsageError(`Which one? \`${PROGRAM} history\` lists their ids.`)
    await withContext(values, async ({ context, isJson }) => {
      const record = await context.coinslot(await context.account()).get(id)
      if (values.out === undefined) return isJson ? printJson(record) : printLine(JSON.stringify(record, null, 2))
      const { status, output } = record
      if (status !== 'succeeded' || output === null) throw new UsageError(`${id} has no output: it is ${status}.`)
      const files = await saveResult({ id: record.id, status, output, metrics: record.metrics }, values.out, {
        origin: context.origin,
        force: values.force,
      })
      if (isJson) printJson({ ...record, files })
      else for (const file of files) printLine(file)
    })
  },
}
