import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { download, type Media } from '../cli/output.ts'
import { BudgetError, ProblemError, SpendCapError, UnfinishedError } from '../src/errors.ts'
import type { Result } from '../src/types.ts'
import type { Extra } from './progress.ts'

/** Larger media are given by their link alone: a message of that size helps no model. */
const LARGEST_BYTES = 4 * 1024 * 1024

/** A result as content: the text, or each picture or sound with its permanent link, and what was paid. */
export async function resultContent(result: Result): Promise<CallToolResult> {
  const { id, output, metrics } = result
  const paid = {
    id,
    paidAtomic: metrics.paymentAmount,
    estimatedCostUsdc: metrics.estimatedCostUsdc,
    transaction: metrics.paymentTxHash,
  }
  if (output.type === 'text') return { content: [{ type: 'text', text: output.text }], structuredContent: paid }
  const media = await Promise.all(output.urls.map(download))
  const content = media.flatMap((one, index) => mediaContent(one, output.type, `${id}-${index + 1}`))
  return { content, structuredContent: { ...paid, urls: output.urls } }
}

function mediaContent({ url, type, bytes }: Media, kind: 'image' | 'audio', name: string): ContentBlock[] {
  const link: ContentBlock = { type: 'resource_link', uri: url, name, mimeType: type }
  if (bytes.byteLength > LARGEST_BYTES) return [link]
  return [{ type: kind, data: Buffer.from(bytes).toString('base64'), mimeType: type }, link]
}

/** A failure as a tool error that says what happened, what it cost, and what to do. */
function errorContent(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error)
  const content: ContentBlock[] = [{ type: 'text', text: [message, ...adviceOn(error)].join('\n') }]
  const structured = error instanceof ProblemError ? { structuredContent: { problem: error.problem.document } } : {}
  return { isError: true, content, ...structured }
}

function adviceOn(error: unknown): string[] {
  if (error instanceof UnfinishedError)
    return ['Call the same tool with the same arguments again: it will not be paid twice.']
  if (error instanceof SpendCapError || error instanceof BudgetError)
    return ['Only the person who runs this server can raise a limit.']
  if (!(error instanceof ProblemError)) return []
  const { errors = [], paymentState, nextAction } = error.problem
  return [
    ...errors.map(({ path, message }) => `${path}: ${message}`),
    ...(paymentState === 'unused' ? ['Nothing was charged.'] : []),
    ...(paymentState === 'settled' ? ['This was paid for; the operator can refund it.'] : []),
    ...(nextAction === undefined ? [] : [`Next: ${nextAction}`]),
  ]
}

/** A tool whose failures are answers to the model instead of breaks of the connection. */
export const safely =
  <Args>(tool: (args: Args, extra: Extra) => Promise<CallToolResult>) =>
  (args: Args, extra: Extra): Promise<CallToolResult> =>
    tool(args, extra).catch(errorContent)
