type Results<Promises extends readonly Promise<unknown>[]> = { -readonly [K in keyof Promises]: Awaited<Promises[K]> }

/** As `Promise.all`, but it rejects only once every promise has ended: what started late can still be ended then. */
export async function together<const Promises extends readonly Promise<unknown>[]>(
  promises: Promises,
): Promise<Results<Promises>> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
