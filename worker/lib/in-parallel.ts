/** Calls `work` for each item, `atOnce` of them at a time, in order. Resolves when all have ended; rejects with the first error. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
}
