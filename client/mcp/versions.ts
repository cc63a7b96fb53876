import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'

/** The version of MCP that a call names or its connection negotiated; undefined for a call that names none. */
export type Version = string | undefined

/** The versions that brought a type of content. The others are in all of them. */
const SINCE: Partial<Record<ContentBlock['type'], string>> = { audio: '2025-03-26', resource_link: '2025-06-18' }
const STRUCTURED_SINCE = '2025-06-18'

/** True if this version has this type of content. A client that names no version is sent what all of them have. */
export function hasType(version: Version, type: ContentBlock['type']): boolean {
  const since = SINCE[type]
  return since === undefined || (version !== undefined && version >= since)
}

/** True if results may have `structuredContent`, and tools an `outputSchema`. Clients of an unnamed version ignore the rest. */
export const hasStructured = (version: Version): boolean => version === undefined || version >= STRUCTURED_SINCE

/** A result without what this version does not know. */
export function fitted({ content, structuredContent, ...rest }: CallToolResult, version: Version): CallToolResult {
  return {
    ...rest,
    content: content.filter(({ type }) => hasType(version, type)),
    ...(hasStructured(version) && structuredContent !== undefined && { structuredContent }),
  }
}
