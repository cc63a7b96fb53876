/** A file an engine made. */
export interface MadeFile {
  name: string
  contentType: string
  bytes: Uint8Array
}

/** The result of an engine: files for pictures and sound, pieces of text for text. */
export interface EngineResult {
  files: MadeFile[]
  pieces: string[]
  logs: string[]
}
