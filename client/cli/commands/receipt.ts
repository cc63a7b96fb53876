import { download } from '../../node/download.ts'
import { UsageError } from '../../node/errors.ts'
import { PROGRAM } from '../../node/program.ts'
import { type Receipt, verifyOutputs, verifyReceipt } from '../../node/receipt.ts'
import { verifyTransfer } from '../../node/transfer.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import { hexFlag, MANY, originFlag, readFlags, urlFlag } from '../flags.ts'
import { save } from '../output.ts'
import { signerOf, verifyFile } from '../verify-receipt.ts'

const HELP = `  --out FILE      write the receipt there instead of to stdout
  --force         replace FILE if it exists
  --verify FILE   check a receipt, and the files that were delivered, in their order; makes no call without the next flags;
                  FILE may also be the answer's headers, or the value of Payment-Response: then it is x402's own receipt
  --signer ADDR   who must have signed it; /.well-known/coinslot.json of the service names its signer
  --origin URL    with --verify: take the signer from that service
  --rpc URL       also find the payment on its chain, at this node
`

const OPTIONS = {
  out: { type: 'string' },
  force: { type: 'boolean' },
  verify: { type: 'string' },
  signer: { type: 'string' },
  rpc: { type: 'string' },
} as const

export const receipt: Command = {
  summary: 'get the signed receipt of an inference, or verify one with no trust in the service',
  usage:
    'receipt ID [--out FILE [--force]] [--rpc URL]\n       coinslot receipt --verify FILE [OUTPUT …] [--signer ADDR] [--origin URL] [--rpc URL]',
  help: HELP,
  run: async (args) => {
    if (args.at(-1) === '--verify') {
      throw new UsageError(
        'Which receipt? Name its file, then the files that were delivered: --verify receipt.json picture.webp',
      )
    }
    const { values, positionals } = readFlags(args, OPTIONS, MANY)
    const signer = values.signer === undefined ? undefined : hexFlag('--signer', values.signer, 40)
    const rpc = values.rpc === undefined ? undefined : urlFlag('--rpc', values.rpc)
    if (values.verify !== undefined) {
      const origin = values.origin === undefined ? undefined : originFlag('--origin', values.origin)
      return verifyFile(values.verify, positionals, { signer, origin, rpc }, values.json === true)
    }
    const [id, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many words: one id at a time.')
    if (id === undefined) throw new UsageError(`Which one? \`${PROGRAM} history\` lists their ids.`)
    await withContext(values, async ({ context, screen, isJson }) => {
      const coinslot = context.coinslot(await context.account())
      const json = await coinslot.receipt(id)
      const { receipt: found, signedBy } = await verifyReceipt(json, signer ?? (await signerOf(coinslot)))
      screen.done(`signed by ${signedBy}`)
      verifyOutputs(found, await outputsOf(coinslot, context.origin, found))
      screen.done('the outputs are those that were delivered')
      if (rpc !== undefined) {
        await verifyTransfer(found, rpc)
        screen.done('the payment is on the chain')
      }
      if (values.out !== undefined) await save(values.out, `${JSON.stringify(json, null, 2)}\n`, values.force)
      if (isJson) printJson(json)
      else printLine(values.out ?? JSON.stringify(json, null, 2))
    })
  },
}

async function outputsOf(coinslot: Coinslot, origin: string, { message, outputUrls }: Receipt): Promise<Uint8Array[]> {
  if (message.task !== 'text-to-text')
    return Promise.all(outputUrls.map(async (url) => (await download(url, { origin })).bytes))
  const { output } = await coinslot.get(message.id)
  return output?.type === 'text' ? [new TextEncoder().encode(output.text)] : []
}
