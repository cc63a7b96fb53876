import type { AudioContent, CallToolResult, ImageContent } from '@modelcontextprotocol/server'
import { download } from '../../node/download.ts'
import { BudgetError, ProblemError, SpendCapError, UnfinishedError } from '../../src/errors.ts'
import { startOf } from '../../src/excerpt.ts'
import type { Result } from '../../src/types.ts'
import { boughtResult, errorResult, problemAdvice } from '../results.ts'
import type { Tool } from '../tool.ts'
import { hasType, type Version } from '../versions.ts'

/** Clients refuse a larger tool result as a whole. */
const MAX_RESULT_BYTES = 1_000_000
/** Media of one result, all together. In base64 these are 933 KB. */
const MAX_MEDIA_BYTES = 700_000
/** Clients stop waiting after about a minute, and the links are enough. */
const QUICK_DOWNLOAD = { tries: 2, timeoutMs: 10_000 }
/** A text is in the result twice: as content and in `structuredContent`. */
const MAX_TEXT_BYTES = 400_000

type MediaKind = 'image' | 'audio'
type MediaBlock = ImageContent | AudioContent

/** The types that the service stores and clients show. */
const MEDIA_TYPES: Readonly<Record<MediaKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  audio: ['audio/wav', 'audio/ogg', 'audio/flac', 'audio/mp4', 'audio/mpeg'],
}

export interface ContentOptions {
  /** The origin of the service. */
  origin: string
  version: Version
}

/**
 * A purchase as a tool result: first a text with the output or its permanent links, then the media, as far as the version of the call
 * has a type for them and the result stays below 1 MB.
 */
export async function resultContent(result: Result, { origin, version }: ContentOptions): Promise<CallToolResult> {
  const { id, output } = result
  if (output.type === 'text')
    return boughtResult({ ...result, output: { ...output, text: shortened(output.text, id) } })
  const media = hasType(version, output.type) ? await downloadAll(output.urls, output.type, origin) : []
  return boughtResult({ ...result, output }, media)
}

/** The media of a result; none where they are too large together, of another type, or cannot be downloaded. */
async function downloadAll(urls: readonly string[], kind: MediaKind, origin: string): Promise<MediaBlock[]> {
  const media: MediaBlock[] = []
  let maxBytes = MAX_MEDIA_BYTES
  for (const url of urls) {
    const one = await download(url, { origin, maxBytes, ...QUICK_DOWNLOAD }).catch(() => null)
    if (one === null || !MEDIA_TYPES[kind].includes(one.type)) return []
    maxBytes -= one.bytes.byteLength
    media.push({ type: kind, data: Buffer.from(one.bytes).toString('base64'), mimeType: one.type })
  }
  return media
}

function shortened(text: string, id: string): string {
  const note = `\n\n[The text is longer. \`coinslot get ${id} --out FILE\` writes all of it to a file.]`
  let kept = text
  while (byteLength(kept) > MAX_TEXT_BYTES) kept = startOf(kept, Math.floor(kept.length / 2))
  return kept === text ? text : kept + note
}

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A failure as a tool error: what happened, whether it was paid, and what to do. */
export function failureResult(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error)
  const facts = error instanceof ProblemError ? { problem: error.problem.document } : {}
  return errorResult([message, ...adviceOn(error)].join('\n'), facts)
}

function adviceOn(error: unknown): string[] {
  if (error instanceof UnfinishedError)
    return ['Call the same tool with the same arguments again. It will not be paid twice.']
  if (error instanceof SpendCapError || error instanceof BudgetError)
    return ['Only the person who runs this server can raise a limit.']
  if (!(error instanceof ProblemError)) return []
  return problemAdvice(error.problem)
}

/** The tool, with no result or failure that is larger than clients accept. */
export const limited = <Call>({ listed, run }: Tool<Call>): Tool<Call> => ({
  listed,
  run: async (args, call) => {
    const result = await run(args, call).catch(failureResult)
    if (byteLength(result) <= MAX_RESULT_BYTES) return result
    throw new Error('The result is larger than 1 MB, which clients refuse. `coinslot history` lists what was bought.')
  },
})
