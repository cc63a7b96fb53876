import { resolve } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { UsageError } from '../../node/errors.ts'
import { encryptKeystore, writeKeystore } from '../../node/keystore-file.ts'
import { PROGRAM } from '../../node/program.ts'
import { type Command, printJson, printLine } from '../command.ts'
import { MANY, readFlags } from '../flags.ts'
import { askHidden, newPasswordOf, readLine } from '../secrets.ts'
import { parseKey } from '../wallet.ts'

/** The key to import. Never an argument: every user of the machine can read those. */
async function keyToImport(file: string | undefined): Promise<string> {
  if (file !== undefined) return readLine(file)
  const key = process.env['COINSLOT_PRIVATE_KEY']
  if (key !== undefined) return key
  if (process.stdin.isTTY !== true) {
    throw new UsageError('Which key? Give --key-file FILE, or set COINSLOT_PRIVATE_KEY.')
  }
  return askHidden('Private key: ')
}

export const keystore: Command = {
  summary: 'make an encrypted key file, of a new key or of an existing one',
  usage: 'keystore new FILE | keystore import FILE [--key-file FILE]',
  help: `The file is a version 3 keystore, as geth and cast read it. An existing file is not replaced.
  new FILE              generates a key
  import FILE           imports the key of --key-file or COINSLOT_PRIVATE_KEY, or asks for it
  --key-file FILE       a file with 64 hex digits
The password comes from --password-file, COINSLOT_PASSWORD_FILE or COINSLOT_PASSWORD, or is typed twice.
A lost password cannot be restored.
`,
  run: async (args) => {
    const { values, positionals } = readFlags(args, { 'key-file': { type: 'string' } }, MANY)
    const [verb, file, ...more] = positionals
    if ((verb !== 'new' && verb !== 'import') || file === undefined || more.length > 0) {
      throw new UsageError(`Give \`${PROGRAM} keystore new FILE\` or \`${PROGRAM} keystore import FILE\`.`)
    }
    const key = verb === 'new' ? generatePrivateKey() : parseKey(await keyToImport(values['key-file']))
    const address = privateKeyToAddress(key)
    const password = await newPasswordOf({ passwordFile: values['password-file'], env: process.env })
    await writeKeystore(file, await encryptKeystore(key, password))
    if (values.json === true) printJson({ address, file: resolve(file) })
    else printLine(`${address} is kept in ${file}`)
  },
}
