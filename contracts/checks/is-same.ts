/** Whether two values are the same that consist of objects, lists, numbers and addresses. */
export function isSame(a: unknown, b: unknown): boolean {
  const textOf = (value: unknown): string =>
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === 'bigint') return `${part}n`
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
      return Object.fromEntries(Object.entries(part).sort(([left], [right]) => left.localeCompare(right)))
    }).toLowerCase()
  return textOf(a) === textOf(b)
}
