import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ObjectFiles } from './object-files.ts'
import type { Caller } from './sigv4.ts'
import type { Target } from './target.ts'

/** A call that may be served: its bucket is ours, and an anonymous caller reads an object. */
export interface S3Request {
  incoming: IncomingMessage
  response: ServerResponse
  target: Target
  caller: Caller
  files: ObjectFiles
}
