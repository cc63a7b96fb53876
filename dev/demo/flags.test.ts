import { expect, it } from 'vitest'
import { parseDemoFlags } from './flags.ts'

it('default: one of each task, paid in USDC', () => {
  const { tasks, pay, out } = parseDemoFlags([])
  expect([tasks, pay, out]).toEqual([['text-to-image', 'text-to-text', 'text-to-sound'], 'usdc', '.coinslot/out'])
})

it.each([
  [
    ['--task', 'image', '--task', 'text-to-sound'],
    ['text-to-image', 'text-to-sound'],
  ],
  [['--model', 'a/b'], [undefined]],
  [['--model', 'a/b', '--task', 'text'], ['text-to-text']],
])('behavior: %j buys the tasks %j', (args, tasks) => {
  expect(parseDemoFlags(args).tasks).toEqual(tasks)
})

it.each([
  [['--key', `0x${'11'.repeat(32)}`], /^There is no flag --key here\. Known flags: [^1]*$/],
  [['--task', 'video'], '--task video: give image, text or sound'],
  [['--pay', 'eth'], '--pay eth: give one of usdc, aic'],
  [['--seed', '-1'], '--seed needs a value'],
  [['--stake', 'all'], '--stake all: give an amount of AIC'],
  [['--stake', '1', '--origin', 'https://a.example'], '--stake works on a local stack only'],
  [['--pay', 'aic', '--origin', 'https://a.example'], '--pay aic works on a local stack only'],
])('error: UsageError for %j', (args, words) => {
  expect(() => parseDemoFlags(args)).toThrow(words)
})
