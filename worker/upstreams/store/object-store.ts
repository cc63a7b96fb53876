/** A stored object under way. */
export interface StoredFile {
  body: ReadableStream<Uint8Array>
  contentType: string
}

/** S3-compatible storage for results. Keys are relative paths of unguessable ids, e.g. `i/<uuid>/0.png`. */
export interface ObjectStore {
  /** Stores bytes, or a stream as `resume` makes it, under `key` for good; their SHA-256, 64 hex digits, may be given where it is known. Repeating it is harmless. Throws `StorageUnavailable` after at most 3 tries within 10 s (a stream: one try). */
  put(
    key: string,
    body: Uint8Array | ReadableStream<Uint8Array>,
    meta: { contentType: string; length: number; sha256?: string },
  ): Promise<void>
  /** Content type of a stored object, or null when there is none. */
  head(key: string): Promise<{ contentType: string; length: number } | null>
  /** SHA-256 of a stored object's bytes, 64 hex digits, or null when there is none. Throws `StorageUnavailable`. */
  sha256(key: string): Promise<string | null>
  /** Opens a stored object, or null when there is none. Throws `StorageUnavailable`. */
  open(key: string): Promise<StoredFile | null>
  /**
   * Copies an object to another key, which caches may keep for `maxAgeSeconds`. The copy's time is that of the call. False when there
   * is none to copy. Throws `StorageUnavailable`.
   */
  copy(from: string, to: string, maxAgeSeconds: number): Promise<boolean>
  /** Removes an object, and does nothing where there is none. Throws `StorageUnavailable`. */
  delete(key: string): Promise<void>
  /** The permanent public URL of a key. */
  publicUrl(key: string): string
  /** Resolves when the store has the small object that it is probed by, or takes it, within 2 s; else throws. */
  check(): Promise<void>
}

export class StorageUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'StorageUnavailable'
  }
}
