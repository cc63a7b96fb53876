import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import { type Authorization, authorizationSchema } from '../../worker/payments/schemas.ts'
import { TEST_ORIGIN } from '../helpers/config.ts'
import { openService, requests } from '../helpers/in-process-service.ts'
import { decodeHeader } from '../helpers/sign-payment.ts'

/** A signed payment for a request, ready to be sent as often as a schedule likes. */
export interface SignedPayment {
  name: string
  request: keyof typeof requests
  body: string
  headers: Record<string, string>
  authorization: Authorization
  buyer: string
}

export const START = new Date('2026-11-27T12:00:00.000Z')
const BUYERS = ['A', 'B'] as const
const VALID_SECONDS = [60, 60, 300, 890] as const

const headerSchema = z.object({ payload: z.object({ authorization: authorizationSchema() }) })

/**
 * Everybody who plays: two buyers signed in, each with payments for a text and an image, of short, middle and long validity.
 * Signing is slow and every schedule starts at the same moment, so one cast serves them all.
 */
export async function assembleCast(database: Database): Promise<SignedPayment[]> {
  const payments: SignedPayment[] = []
  for (const [index, buyer] of BUYERS.entries()) {
    const service = openService(database)
    service.clock.set(START)
    const person = await service.openBuyer({ privateKey: `0x${String(index + 1).repeat(64)}` })
    for (const request of ['text', 'image'] as const) {
      for (const seconds of VALID_SECONDS) {
        const validBefore = String(START.getTime() / 1000 + seconds)
        const nonce = `0x${(payments.length + 1).toString(16).padStart(64, '0')}` as const
        const header = await person.signedPayment(requests[request], { validBefore, nonce })
        payments.push({
          name: `${buyer}’s ${seconds} s payment for ${request === 'text' ? 'a text' : 'an image'}`,
          request,
          body: JSON.stringify(requests[request]),
          headers: {
            ...person.cookies.headers,
            'content-type': 'application/json',
            'payment-signature': header,
          },
          authorization: headerSchema.parse(decodeHeader(header)).payload.authorization,
          buyer,
        })
      }
    }
  }
  return payments
}

export const ORIGIN = TEST_ORIGIN
