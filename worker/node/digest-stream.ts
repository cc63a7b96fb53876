import { createHash } from 'node:crypto'

/** `crypto.DigestStream` of the Workers runtime: hashes what is written, keeps none of it. */
class DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>

  constructor(algorithm: string) {
    const hash = createHash(algorithm.replace('-', ''))
    const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>()
    super({
      write: (chunk) => void hash.update(chunk),
      close: () => resolve(new Uint8Array(hash.digest()).buffer),
      abort: reject,
    })
    promise.catch(() => undefined)
    this.digest = promise
  }
}

/** Adds the `DigestStream` that the worker hashes files with to Node's `crypto`. */
export function installDigestStream(): void {
  Object.defineProperty(globalThis.crypto, 'DigestStream', { value: DigestStream, configurable: true, writable: true })
}
