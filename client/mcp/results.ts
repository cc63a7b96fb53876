import type { AudioContent, CallToolResult, ImageContent } from '@modelcontextprotocol/server'
import type { Problem } from '../src/problem.ts'

const textBlock = (text: string) => ({ type: 'text' as const, text })

/** Data as a tool result: its JSON as text, and the same in `structuredContent`. */
export const jsonResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [textBlock(JSON.stringify(value))],
  structuredContent: value,
})

/** A text, and the facts beside it. Clients that read `structuredContent` alone find the same text there. */
export const textResult = (text: string, facts: Record<string, unknown>): CallToolResult => ({
  content: [textBlock(text)],
  structuredContent: { text, ...facts },
})

/** The caller's fault, or the reason why it cannot be done. */
export const errorResult = (text: string, facts: Record<string, unknown> = {}): CallToolResult => ({
  isError: true,
  ...textResult(text, facts),
})

/** Facts about a problem beside its detail: the wrong members, whether it was paid, and what to do. */
export const problemAdvice = ({ errors = [], paymentState, nextAction }: Problem): string[] => [
  ...errors.map(({ path, message }) => `${path}: ${message}`),
  ...(paymentState === 'unused' ? ['Nothing was charged.'] : []),
  ...(paymentState === 'settled' ? ['This was paid for. The operator can refund it.'] : []),
  ...(nextAction === undefined ? [] : [`Next: ${nextAction}`]),
]

interface Bought {
  id: string
  output: { type: 'text'; text: string } | { type: 'image' | 'audio'; urls: readonly string[] }
  metrics: { paymentAmount: string; estimatedCostUsdc: string; paymentTxHash: string | null }
}

/** A finished purchase: the text, or the permanent links as a text, then `media` and the same links. */
export function boughtResult(
  { id, output, metrics }: Bought,
  media: readonly (ImageContent | AudioContent)[] = [],
): CallToolResult {
  const { paymentAmount: paidAtomic, estimatedCostUsdc, paymentTxHash: transaction } = metrics
  const paid = { id, paidAtomic, estimatedCostUsdc, transaction }
  if (output.type === 'text') return textResult(output.text, paid)
  const { urls } = output
  const { content, ...rest } = textResult(`Permanent link:\n${urls.join('\n')}`, { urls, ...paid })
  const links = urls.map((uri, at) => {
    const mimeType = media[at]?.mimeType
    return { type: 'resource_link' as const, uri, name: `${id}-${at + 1}`, ...(mimeType !== undefined && { mimeType }) }
  })
  return { content: [...content, ...media, ...links], ...rest }
}
