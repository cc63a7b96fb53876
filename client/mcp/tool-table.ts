import * as z from 'zod'
import { isFields } from '../src/json-fields.ts'
import type { Task } from '../src/types.ts'
import { atomic, input, maxUsdc, model, receipt, reference, task, usdc, words } from './arguments.ts'

/** A tool without what it does. The servers on stdio and over HTTP have the same ones. */
export interface ToolFacts<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  annotations: Readonly<Record<string, boolean>>
  /** Strict: a misspelled `maxUsdc` must not be dropped. */
  input: Input
  /** The members of its result. None is required: a refusal has others, and clients check those too. */
  output: z.ZodObject
}

const READS = { readOnlyHint: true, openWorldHint: true }
const PAYS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }

const usdcText = z.string().describe('A decimal string of USDC.')

/** The answer to a purchase: its output, or where to ask for it while it is not ready. */
const BOUGHT = z.looseObject({
  text: z.string().describe('The text that was written, or the permanent links as a text.'),
  urls: z.array(z.string()).describe('Permanent links of the files.'),
  id: z.string().describe('Id of the purchase.'),
  paidAtomic: z.string().describe('What was paid, in the smallest units of the token.'),
  estimatedCostUsdc: usdcText,
  transaction: z.unknown().describe('Hash of the transfer.'),
  statusUrl: z.string().describe('Where the result will be, while it is not ready.'),
})

/** These cost nothing. */
export const FREE_TOOLS = {
  listModels: {
    name: 'list_models',
    title: 'List models',
    description: 'Models with their prices in USDC. With `model`, that one alone and the schema of its input.',
    annotations: READS,
    output: z.looseObject({ models: z.array(z.looseObject({})).describe('The models, each with its price.') }),
    input: z.strictObject({
      task: task.optional(),
      model,
      maxUsdc: usdc.optional().describe('Only models up to this price.'),
    }),
  },
  estimate: {
    name: 'estimate',
    title: 'Estimate a price',
    description: 'What one run of a model would cost now, and whether that is within the limits.',
    annotations: READS,
    output: z.looseObject({
      model: z.string().describe('Id of the model.'),
      estimatedCostUsdc: usdcText,
      withinMaxUsdc: z.boolean().describe('Whether that is within the limits.'),
    }),
    input: z.strictObject({ task: task.optional(), model, maxUsdc }),
  },
  status: {
    name: 'status',
    title: 'Look at a purchase',
    description: 'The state of a purchase, and its result once there is one.',
    annotations: READS,
    output: z.looseObject({
      id: z.string().describe('Id of the purchase.'),
      status: z.unknown().describe('Its state.'),
      output: z.unknown().describe('What was made, once there is a result.'),
    }),
    input: z.strictObject({ id: reference }),
  },
  verifyReceipt: {
    name: 'verify_receipt',
    title: 'Verify a receipt',
    description: 'Checks the signature of a receipt, and that this service signed it.',
    annotations: READS,
    output: z.looseObject({
      signedBy: z.string().describe('Address of the signer.'),
      isOfThisService: z.boolean().describe('Whether this service signed it.'),
      receipt: z.looseObject({}).describe('What was signed.'),
    }),
    input: z.strictObject({ receipt }),
  },
} as const satisfies Record<string, ToolFacts>

const prompt = words('What to make, in plain words.')
const commonArguments = { model, input, maxUsdc }

/** The common arguments of every tool that buys, beside its words. */
export type PaidArguments = z.infer<z.ZodObject<typeof commonArguments>>

/** Each of these makes one purchase. */
export const PAID_TOOLS = {
  generateImage: {
    name: 'generate_image',
    title: 'Generate an image',
    description: 'Makes an image from a prompt and returns it with its permanent link. Costs USDC; see estimate.',
    annotations: PAYS,
    output: BOUGHT,
    input: z.strictObject({ prompt, ...commonArguments }),
    task: 'text-to-image',
  },
  writeText: {
    name: 'write_text',
    title: 'Write a text',
    description: 'Returns the answer of a language model to a prompt. Costs USDC; see estimate.',
    annotations: PAYS,
    output: BOUGHT,
    input: z.strictObject({ prompt, ...commonArguments }),
    task: 'text-to-text',
  },
  speak: {
    name: 'speak',
    title: 'Speak a text',
    description: 'Reads a text aloud and returns the sound with its permanent link. Costs USDC; see estimate.',
    annotations: PAYS,
    output: BOUGHT,
    input: z.strictObject({ text: words('The text to read aloud.'), ...commonArguments }),
    task: 'text-to-sound',
  },
} as const satisfies Record<string, ToolFacts & { task: Task }>

/** The keywords that the hosts of OpenAI and of Gemini models both take in the schema of a tool's argument. */
const KEYWORDS = ['type', 'description', 'enum']

/** The entry of a tool in `tools/list`. */
export function listedTool({ input: schema, output, name, title, description, annotations }: ToolFacts) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  const published = Object.entries(properties).map(([argument, of]) => {
    const keywords = Object.entries(isFields(of) ? of : {})
    return [argument, Object.fromEntries(keywords.filter(([keyword]) => KEYWORDS.includes(keyword)))]
  })
  const inputSchema = { type: 'object' as const, properties: Object.fromEntries(published), required }
  const { properties: results = {} } = z.toJSONSchema(output)
  const outputSchema = { type: 'object' as const, properties: results }
  return { name, title, description, annotations, inputSchema, outputSchema }
}

/** The faults in the arguments of a call, one line each. */
export const argumentFaults = ({ issues }: z.ZodError): string =>
  issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `${key}: this tool has no such argument`)
        : [`${issue.path.join('.')}: ${issue.message}`],
    )
    .join('\n')

export interface PricedModel {
  id: string
  task: Task
  estimatedCostUsdc: string
  inputSchema: unknown
  example?: unknown
}

/** The answer of `list_models`. The schemas of all models would fill a language model's context. */
export function listModels(
  models: readonly PricedModel[],
  { task: ofTask, model: id, maxUsdc: most }: z.output<(typeof FREE_TOOLS)['listModels']['input']>,
): Record<string, unknown> {
  const isAsked = (one: PricedModel): boolean =>
    (ofTask === undefined || one.task === ofTask) &&
    (id === undefined || one.id === id) &&
    (most === undefined || atomic(one.estimatedCostUsdc) <= atomic(most))
  const inShort = ({ inputSchema: _, example: __, ...rest }: PricedModel) => rest
  return { models: models.filter(isAsked).map((one) => (id === undefined ? inShort(one) : one)) }
}
