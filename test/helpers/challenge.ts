import * as z from 'zod'

/** `info` of the challenge in the extension `sign-in-with-x`, as a buyer reads it. */
export const challengeInfoSchema = z.object({
  domain: z.string(),
  uri: z.string(),
  statement: z.string(),
  version: z.string(),
  nonce: z.string(),
  issuedAt: z.string(),
  expirationTime: z.string(),
})
