import { UsageError } from '../../client/node/errors.ts'
import { envLine } from '../worker/worker-env.ts'

const BEGIN = '# >>> npm start -- --write-dev-vars'
const END = '# <<< npm start -- --write-dev-vars'
const NOTE = `# For \`npx wrangler dev\` beside the running \`npm start\`, which takes these lines away when it ends.
# The last value of a variable counts, so these come last. What you change between the marks is lost.`

/** A `.dev.vars`: what a person wrote, and the lines of the stack. */
export interface DevVarsText {
  own: string
  /** Null: it has none. */
  block: string | null
}

/** Separates the lines of the stack from those of a person. Throws `UsageError` if the marks are not a pair. */
export function splitDevVars(text: string): DevVarsText {
  const at = text.indexOf(BEGIN)
  const endAt = text.indexOf(END)
  if (at === -1 && endAt === -1) return { own: text, block: null }
  if (at === -1 || endAt < at || text.lastIndexOf(BEGIN) !== at || text.lastIndexOf(END) !== endAt) {
    throw new UsageError(
      `.dev.vars must have the lines "${BEGIN}" and "${END}" once each, or neither: correct it by hand`,
    )
  }
  const lineEnd = text.indexOf('\n', endAt)
  const after = lineEnd === -1 ? text.length : lineEnd + 1
  // The line break before the block is not a person's.
  return { own: text.slice(0, at).replace(/\n$/, '') + text.slice(after), block: text.slice(at, after) }
}

/** Puts the block behind a person's lines. `splitDevVars` returns these byte for byte. */
export const joinDevVars = (own: string, block: string): string => (own === '' ? block : `${own}\n${block}`)

/**
 * Variables that send money, files or calls elsewhere. Where the stack has no value and a person's line has one, the worker
 * gets an empty one, which counts as not set.
 */
const EMPTIED = [
  'X402_FACILITATOR_TOKEN',
  'X402_FACILITATOR_KEY_ID',
  'X402_FACILITATOR_KEY_SECRET',
  'MODEL_PROVIDER_FILE_HOSTS',
  'AIC_TOKEN_ADDRESS',
  'AIC_STAKING_ADDRESS',
  'AIC_PAYMENT_TOKEN_ADDRESS',
  'AIC_SPLITTER_ADDRESS',
  'AIC_USDC_RATE',
  'AIC_BURN_BPS',
  'ADMIN_ADDRESSES',
]

/** The worker's variables as lines between two marks. `own` are the variables of a person's lines. */
export function devVarsBlock(env: Readonly<Record<string, string>>, own: Readonly<Record<string, unknown>>): string {
  const emptied = EMPTIED.filter((name) => own[name] !== undefined && env[name] === undefined)
  const lines = Object.entries({ ...env, ...Object.fromEntries(emptied.map((name) => [name, ''])) })
  return `${[BEGIN, NOTE, ...lines.map(([name, value]) => envLine(name, value)), END].join('\n')}\n`
}
