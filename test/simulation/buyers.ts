import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import { type Authorization, authorizationSchema } from '../../worker/x402/schemas.ts'
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
  /** The same nonce and request, signed again with another end of validity. */
  signAgain(validBefore: Date): Promise<SignedPayment>
}

export const START = new Date('2026-11-27T12:00:00.000Z')
const BUYERS = ['A', 'B'] as const
const VALID_SECONDS = [60, 60, 300, 890] as const

const headerSchema = z.object({ payload: z.object({ authorization: authorizationSchema() }) })

/**
 * The payments of all schedules: two signed-in buyers, each with payments for a text and an image, of short, middle and long
 * validity. Signing is slow and every schedule starts at the same time, so they are signed once.
 */
export async function signPayments(database: Database): Promise<SignedPayment[]> {
  const payments: SignedPayment[] = []
  for (const [index, buyer] of BUYERS.entries()) {
    const service = openService(database)
    service.clock.set(START)
    const person = await service.openBuyer({ privateKey: `0x${String(index + 1).repeat(64)}` })
    for (const request of ['text', 'image'] as const) {
      const quote = await person.quote(requests[request])
      const { headers } = person.cookies
      for (const seconds of VALID_SECONDS) {
        const nonce = `0x${(payments.length + 1).toString(16).padStart(64, '0')}` as const
        const sign = async (validBefore: Date): Promise<SignedPayment> => {
          const end = String(Math.floor(validBefore.getTime() / 1000))
          const header = await person.sign(quote, { validBefore: end, nonce })
          return {
            name: `${buyer}’s ${seconds} s payment for ${request === 'text' ? 'a text' : 'an image'}`,
            request,
            body: JSON.stringify(requests[request]),
            headers: { ...headers, 'content-type': 'application/json', 'payment-signature': header },
            authorization: headerSchema.parse(decodeHeader(header)).payload.authorization,
            buyer,
            signAgain: sign,
          }
        }
        payments.push(await sign(new Date(START.getTime() + seconds * 1_000)))
      }
    }
  }
  return payments
}

export const ORIGIN = TEST_ORIGIN
