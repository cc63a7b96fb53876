const BYTES_IN_HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function toHex(bytes: ArrayBuffer): string {
  let hex = ''
  for (const byte of new Uint8Array(bytes)) hex += BYTES_IN_HEX[byte]
  return hex
}

const encoder = new TextEncoder()

/** SHA-256 of bytes, or of a text in UTF-8, as 64 hex digits. */
export async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? encoder.encode(data) : data))
}

type DigestStream = new (algorithm: string) => WritableStream<Uint8Array> & { digest: Promise<ArrayBuffer> }

/** SHA-256 of a body as it passes, as 64 hex digits. By `crypto.DigestStream` of Workers, which `worker/node` brings to Node. */
export async function sha256OfBody(body: ReadableStream<Uint8Array>): Promise<string> {
  const Stream: DigestStream = Reflect.get(crypto, 'DigestStream')
  const stream = new Stream('SHA-256')
  await body.pipeTo(stream)
  return toHex(await stream.digest)
}
