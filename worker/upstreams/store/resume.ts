type FixedLength = new (length: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * A body of `length` bytes as it was before its start was read; `leaving` closes it. On Workers it is a stream of their
 * fixed-length kind: `fetch` sends a `Content-Length` only with those, and the runtime pipes the rest without running script for
 * each piece.
 */
export function resume(
  start: Uint8Array,
  body: ReadableStream<Uint8Array>,
  length: number,
  leaving: AbortSignal,
): ReadableStream<Uint8Array> {
  const FixedLengthStream: FixedLength | undefined = Reflect.get(globalThis, 'FixedLengthStream')
  const { readable, writable } = FixedLengthStream === undefined ? new TransformStream() : new FixedLengthStream(length)
  // The reader gets the error.
  feed(start, body, writable, leaving).catch(() => undefined)
  return readable
}

async function feed(
  start: Uint8Array,
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const writer = writable.getWriter()
  await writer.write(start)
  writer.releaseLock()
  await body.pipeTo(writable, { signal })
}
