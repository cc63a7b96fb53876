import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from '../node/errors.ts'

/** The sources of a keystore's password. Never an argument: every user of the machine can read those. */
export interface PasswordSource {
  passwordFile: string | undefined
  env: NodeJS.ProcessEnv
}

/** The password that opens a keystore. Throws `UsageError` when it is missing and stdin is not a terminal. */
export async function passwordOf(source: PasswordSource): Promise<string> {
  return (await givenPassword(source)) ?? askHidden('Password of the keystore: ')
}

/** The password for a new keystore, typed twice on a terminal. Throws `UsageError`, also for an empty password. */
export async function newPasswordOf(source: PasswordSource): Promise<string> {
  const given = await givenPassword(source)
  const password = given ?? (await askHidden('Password for the keystore: '))
  if (password === '') throw new UsageError('An empty password protects nothing.')
  if (given === undefined && (await askHidden('Once more: ')) !== password) {
    throw new UsageError('These are two different passwords. Nothing was written.')
  }
  return password
}

/** A one-line file that was named on the command line, without its line break. */
export async function readLine(file: string): Promise<string> {
  return (await readText(file)).replace(/\r?\n$/, '')
}

export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

async function givenPassword({ passwordFile, env }: PasswordSource): Promise<string | undefined> {
  const file = passwordFile ?? (env['COINSLOT_PASSWORD_FILE'] || undefined)
  if (file !== undefined) return readLine(file)
  const password = env['COINSLOT_PASSWORD']
  if (password === undefined && process.stdin.isTTY !== true) {
    throw new UsageError('The keystore needs its password: give --password-file FILE, or set COINSLOT_PASSWORD.')
  }
  return password
}

/** Asks on the terminal, without echo. Throws `UsageError` after Ctrl-C or Ctrl-D. */
export async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const left = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new UsageError('Nothing was entered.')))
  })
  try {
    return await Promise.race([lines.question(''), left])
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
