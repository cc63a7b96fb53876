import { expect, it } from 'vitest'
import { parsePaymentsFlags } from './flags.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

it('default: a list has 50 rows of any state', () => {
  expect(parsePaymentsFlags(['list'])).toEqual({
    command: 'list',
    state: null,
    stuck: false,
    limit: 50,
    filter: {},
    json: false,
  })
})

it.each([
  ['list --state lost', '--state lost: give one of claimed, settling, unknown, settled, done, owed, rejected'],
  ['list --limit 0', '--limit 0: give a whole number from 1 to 1000'],
  ['list --payer me', '--payer me: give 0x and 40 hexadecimal digits'],
  ['list --stuck --state done', '--stuck shows unknown payments: leave --state out'],
  ['list me', 'list takes no ID: use show'],
  ['show 5', 'Give the ID of a payment or of an inference, as list shows it.'],
  [`resolve ${UNKNOWN_ID}`, 'resolve needs --note with 1 to 500 characters: how and when it was refunded'],
  ['refund', 'There is no command refund. Commands: list, show, retry, resolve'],
  ['list --stat owed', 'There is no flag --stat here. Known flags: --state'],
])('error: %s', (line, words) => {
  expect(() => parsePaymentsFlags(line.split(' '))).toThrow(words)
})

it('error: UsageError with the help where no command is named', () => {
  expect(() => parsePaymentsFlags([])).toThrow('npm run payments -- list')
})
