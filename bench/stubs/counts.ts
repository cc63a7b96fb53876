import * as z from 'zod'

/** Calls to each service so far. */
export const countsSchema = z.object({
  supported: z.number(),
  verify: z.number(),
  settle: z.number(),
  create: z.number(),
  file: z.number(),
  put: z.number(),
  database: z.number(),
  rpc: z.number(),
  /** Milliseconds from the last request for the file to the end of the upload after it. */
  copyMs: z.number(),
})
export type StubCounts = z.infer<typeof countsSchema>
