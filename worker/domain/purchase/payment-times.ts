import type { Payment } from '../../../db/queries/payment-row.ts'
import { after } from '../../lib/dates.ts'
import { expiryMarginMs } from './leases.ts'

/** When this payment's runs began: its settlement, or the time an operator had it tried again. */
export const runsSince = (payment: Payment): Date => payment.rerunAt ?? payment.settledAt ?? payment.updatedAt

/** When the authorization expires, by the chain's clock. */
export const validBefore = (payment: Payment): Date => new Date(Number(payment.authorization.validBefore) * 1000)

/** When the chain can show whether the authorization expired unused. */
export const expiryCheckAt = (payment: Payment): Date => after(validBefore(payment), expiryMarginMs)
