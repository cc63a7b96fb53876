import { expect, it } from 'vitest'
import { hasAic, spendingOf } from './spending.ts'

const HEAD = 'id,created_at,model,prompt,payment_amount,payment_tx_hash,estimated_cost_usdc'
const AIC = '2500000000000000000'

it('default: settled payments are summed by month and by model, USDC and AIC apart', () => {
  const csv = [
    HEAD,
    '1,2026-11-28T10:00:00Z,a/flux,"a ""red"", bicycle\nby the sea",10000,0xab,0.010000',
    '2,2026-11-02T10:00:00Z,b/llama,why,3000,0xac,0.003000',
    `3,2026-10-31T10:00:00Z,a/flux,x,${AIC},0xad,0.010000`,
    '4,2026-10-30T10:00:00Z,a/flux,not settled,10000,,0.010000',
    '',
  ].join('\r\n')
  const { months, models } = spendingOf(csv)
  expect(months).toEqual([
    { key: '2026-11', runs: 2, usdc: '0.013000', aic: '0.000000000000000000' },
    { key: '2026-10', runs: 1, usdc: '0.000000', aic: '2.500000000000000000' },
  ])
  expect(models.map(({ key, runs, usdc }) => [key, runs, usdc])).toEqual([
    ['a/flux', 2, '0.010000'],
    ['b/llama', 1, '0.003000'],
  ])
  expect([hasAic(months), hasAic(models.slice(1))]).toEqual([true, false])
})

it('default: a file without payments has no sums', () => {
  expect(spendingOf(`${HEAD}\r\n`)).toEqual({ months: [], models: [] })
})
