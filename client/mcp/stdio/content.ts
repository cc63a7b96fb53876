import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { download, type Media } from '../../cli/download.ts'
import { BudgetError, ProblemError, SpendCapError, UnfinishedError } from '../../src/errors.ts'
import { startOf } from '../../src/excerpt.ts'
import type { Result } from '../../src/types.ts'
import { problemAdvice } from '../tool-table.ts'

/** Clients refuse a larger tool result as a whole. */
const MAX_RESULT_BYTES = 1_000_000
/** Media of one result, all together. In base64 these are 933 KB. */
const MAX_MEDIA_BYTES = 700_000
/** Clients stop waiting after about a minute, and the links are enough. */
const QUICK_DOWNLOAD = { tries: 2, timeoutMs: 10_000 }
/** A text is in the result twice: as content and in `structuredContent`. */
const MAX_TEXT_BYTES = 400_000

type MediaKind = 'image' | 'audio'

/** What the service stores, and clients show. */
const MEDIA_TYPES: Readonly<Record<MediaKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  audio: ['audio/wav', 'audio/ogg', 'audio/flac', 'audio/mp4', 'audio/mpeg'],
}

/** What a client understands, by the protocol version that it negotiated. */
const isSince = (version: string) => (negotiated: string) => negotiated >= version
const hasAudio = isSince('2025-03-26')
const hasLinks = isSince('2025-06-18')
const hasStructuredContent = isSince('2025-06-18')

export interface ContentOptions {
  /** The origin of the service. */
  origin: string
  /** The negotiated protocol version. */
  version: string
}

/** A tool result whose first block is `text`. Clients that read `structuredContent` alone find the same text there. */
function textContent(text: string, facts: Record<string, unknown>, version: string): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    ...(hasStructuredContent(version) && { structuredContent: { text, ...facts } }),
  }
}

/** Data as a tool result: its JSON as text, and the same in `structuredContent`. */
export function jsonContent(value: Record<string, unknown>, version: string): CallToolResult {
  const content: ContentBlock[] = [{ type: 'text', text: JSON.stringify(value) }]
  return { content, ...(hasStructuredContent(version) && { structuredContent: value }) }
}

/**
 * A purchase as a tool result: first a text with the output or its permanent links, then the media, as far as the client's
 * protocol version has a type for them and the result stays below 1 MB.
 */
export async function resultContent({ id, output, metrics }: Result, options: ContentOptions): Promise<CallToolResult> {
  const { version } = options
  const paid = {
    id,
    paidAtomic: metrics.paymentAmount,
    estimatedCostUsdc: metrics.estimatedCostUsdc,
    transaction: metrics.paymentTxHash,
  }
  if (output.type === 'text') return textContent(shortened(output.text, id), paid, version)
  const { urls, type } = output
  const media = type === 'image' || hasAudio(version) ? await downloadAll(urls, type, options.origin) : []
  const links = hasLinks(version) ? urls.map((uri, at) => linkTo(uri, `${id}-${at + 1}`, media[at]?.type)) : []
  const { content, ...rest } = textContent(`Permanent link:\n${urls.join('\n')}`, { urls, ...paid }, version)
  return { content: [...content, ...media.map((one) => mediaBlock(one, type)), ...links], ...rest }
}

/** The media of a result; none where they are too large together, of another type, or cannot be downloaded. */
async function downloadAll(urls: readonly string[], kind: MediaKind, origin: string): Promise<Media[]> {
  const media: Media[] = []
  let maxBytes = MAX_MEDIA_BYTES
  for (const url of urls) {
    const one = await download(url, { origin, maxBytes, ...QUICK_DOWNLOAD }).catch(() => null)
    if (one === null || !MEDIA_TYPES[kind].includes(one.type)) return []
    maxBytes -= one.bytes.byteLength
    media.push(one)
  }
  return media
}

const mediaBlock = ({ type, bytes }: Media, kind: MediaKind): ContentBlock => ({
  type: kind,
  data: Buffer.from(bytes).toString('base64'),
  mimeType: type,
})

const linkTo = (uri: string, name: string, mimeType: string | undefined): ContentBlock => ({
  type: 'resource_link',
  uri,
  name,
  ...(mimeType !== undefined && { mimeType }),
})

function shortened(text: string, id: string): string {
  const note = `\n\n[The text is longer. \`coinslot get ${id} --out FILE\` writes all of it to a file.]`
  let kept = text
  while (byteLength(kept) > MAX_TEXT_BYTES) kept = startOf(kept, Math.floor(kept.length / 2))
  return kept === text ? text : kept + note
}

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A failure as a tool error: what happened, whether it was paid, and what to do. */
function errorContent(error: unknown, version: string): CallToolResult {
  const message = error instanceof Error ? error.message : String(error)
  const facts = error instanceof ProblemError ? { problem: error.problem.document } : {}
  return { isError: true, ...textContent([message, ...adviceOn(error)].join('\n'), facts, version) }
}

function adviceOn(error: unknown): string[] {
  if (error instanceof UnfinishedError)
    return ['Call the same tool with the same arguments again. It will not be paid twice.']
  if (error instanceof SpendCapError || error instanceof BudgetError)
    return ['Only the person who runs this server can raise a limit.']
  if (!(error instanceof ProblemError)) return []
  return problemAdvice(error.problem)
}

/** The result of a tool, or its failure as a result. Neither is larger than clients accept. */
export async function answer(version: string, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  const result = await work().catch((error: unknown) => errorContent(error, version))
  if (byteLength(result) <= MAX_RESULT_BYTES) return result
  return errorContent(
    new Error('The result is larger than 1 MB, which clients refuse. `coinslot history` lists what was bought.'),
    version,
  )
}
