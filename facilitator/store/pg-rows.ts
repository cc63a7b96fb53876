import * as z from 'zod'

const hex = z.templateLiteral(['0x', z.string()])
const bigint = z.coerce.bigint()

const entrySchema = z.object({
  key: z.string(),
  network: z.string(),
  asset: hex,
  payer: hex,
  value: bigint,
  signature: z.string(),
  gas: bigint,
  isTrial: z.boolean(),
  endedAt: z.coerce.date().nullable(),
})
export const transactionSchema = z
  .object({
    network: z.string(),
    signer: z.string(),
    account_nonce: z.coerce.number(),
    gas: bigint,
    hash: hex,
    raw: hex,
    replaced: z.array(hex),
    sent_at: z.date(),
    priced_at: z.date(),
    mined_at: z.date().nullable(),
    // JSON's null would become the first date of all.
    entries: z.array(
      entrySchema.extend({ endedAt: z.iso.datetime({ offset: true }).pipe(z.coerce.date()).nullable() }),
    ),
  })
  .transform(({ account_nonce, sent_at, priced_at, mined_at, ...row }) => ({
    ...row,
    accountNonce: account_nonce,
    sentAt: sent_at,
    pricedAt: priced_at,
    minedAt: mined_at,
  }))
export const inFlightSchema = z
  .object({
    ...entrySchema.pick({ key: true, asset: true, payer: true, value: true, gas: true }).shape,
    is_trial: z.boolean(),
    signer: z.string(),
    account_nonce: z.coerce.number(),
  })
  .transform(({ is_trial, account_nonce, ...row }) => ({ ...row, isTrial: is_trial, accountNonce: account_nonce }))
export const historySchema = z
  .object({
    has_reverted: z.boolean(),
    payer_reverted_at: z.date().nullable(),
    payer_lost: bigint,
    network_lost: bigint,
    trial_lost: bigint,
    credit: bigint,
  })
  .transform((row) => ({
    hasReverted: row.has_reverted,
    payerRevertedAt: row.payer_reverted_at,
    payerLost: row.payer_lost,
    networkLost: row.network_lost,
    trialLost: row.trial_lost,
    credit: row.credit,
  }))
export const keySchema = z.object({ key: z.string() })
export const nextSchema = z.object({ next: z.coerce.number() })
