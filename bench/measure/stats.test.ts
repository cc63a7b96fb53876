import { expect, it } from 'vitest'
import { inTurn, pairedRatios, ratioText } from './stats.ts'

it('default: samples are compared within their round, with the quartiles of the ratios', () => {
  const ratios = pairedRatios([1, 2, 3, 8], [2, 2, 2, 2])
  expect(ratios).toEqual([0.5, 1, 1.5, 4])
  expect(ratioText(ratios)).toBe('1.25 × (0.50 to 1.50)')
})

it('behavior: the order of the sides is turned round each time', async () => {
  const order: string[] = []
  const take = (name: string) => async () => order.push(name)
  const samples = await inTurn(2, [
    ['a', take('a')],
    ['b', take('b')],
  ])
  expect(order).toEqual(['a', 'b', 'b', 'a'])
  expect(samples.get('a')).toEqual([1, 4])
})
