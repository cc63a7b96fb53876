/** From which part of its limit on the length of a text is shown. */
const NEAR = 0.9

/**
 * How many characters a text has, if they are near the limit or above it, else 0. It counts as the service does: without the spaces
 * around the text, and an emoji of two UTF-16 units once.
 */
export function countNear(text: string, most: number): number {
  const trimmed = text.trim()
  // There are never more characters than units.
  const count = trimmed.length < most * NEAR ? 0 : Array.from(trimmed).length
  return count < most * NEAR ? 0 : count
}
