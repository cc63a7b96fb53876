import { toBase64 } from '../../../protocol/base64.ts'

const encoder = new TextEncoder()
/** Base64 of whole groups of three bytes can be joined. */
const GROUP = 3

/** Base64 of a stream's bytes, a piece at a time. */
async function* base64Of(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = new Uint8Array()
  for await (const piece of body) {
    const bytes = new Uint8Array(rest.length + piece.length)
    bytes.set(rest)
    bytes.set(piece, rest.length)
    const whole = bytes.length - (bytes.length % GROUP)
    rest = bytes.slice(whole)
    if (whole > 0) yield toBase64(bytes.subarray(0, whole))
  }
  if (rest.length > 0) yield toBase64(rest)
}

async function* answer(
  created: number,
  files: readonly ReadableStream<Uint8Array>[],
  metrics: unknown,
): AsyncGenerator<string> {
  yield `{"created":${created},"data":[`
  for (const [index, file] of files.entries()) {
    yield `${index === 0 ? '' : ','}{"b64_json":"`
    yield* base64Of(file)
    yield '"}'
  }
  yield `],"metrics":${JSON.stringify(metrics)}}`
}

/**
 * The JSON of `POST /v1/images/generations` with its pictures in base64, as a stream: no picture is held in memory whole. A file that
 * breaks off breaks the answer off, so that it is never taken for a whole one. `created` is in unix seconds.
 */
export function imageStream(
  created: number,
  files: readonly ReadableStream<Uint8Array>[],
  metrics: unknown,
): ReadableStream<Uint8Array> {
  const pieces = answer(created, files, metrics)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (value !== undefined) controller.enqueue(encoder.encode(value))
      if (done === true) controller.close()
    },
    async cancel() {
      await pieces.return(undefined)
      await Promise.all(files.map((file) => (file.locked ? undefined : file.cancel())))
    },
  })
}
