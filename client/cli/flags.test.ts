import { describe, expect, it } from 'vitest'
import {
  choiceFlag,
  given,
  hexFlag,
  integerFlag,
  MANY,
  originFlag,
  readFlags,
  unlessEmpty,
  urlFlag,
  usdcFlag,
} from './flags.ts'

const KEY = `0x${'11'.repeat(32)}`
const OPTIONS = { limit: { type: 'string' }, force: { type: 'boolean' } } as const

describe('readFlags', () => {
  it('default: the flags of a command, those of every command, and its words', () => {
    const { values, positionals } = readFlags(['--limit', '5', 'a', '--json', '--', '--force'], OPTIONS, MANY)
    expect([{ ...values }, positionals]).toEqual([{ limit: '5', json: true }, ['a', '--force']])
  })

  it.each([
    ['a flag that it does not know', ['--limt', '5'], 'There is no flag --limt here. Known flags: --origin'],
    ['a short flag', ['-q'], 'There is no flag -q here.'],
    ['a flag without its value', ['--limit'], '--limit needs a value'],
    ['a value that looks like a flag', ['--limit', '-1'], 'write one that starts with - as --limit=…'],
    ['an unexpected value', ['--force=yes'], '--force takes no value.'],
    ['words where none are taken', ['five'], 'Too many words: this takes flags only.'],
  ])('error: UsageError for %s', (_, args, words) => {
    expect(() => readFlags(args, OPTIONS)).toThrow(words)
  })

  it('error: a word too many is not repeated: it may be a key', () => {
    expect(() => readFlags(['id', KEY], OPTIONS, 1)).toThrow(/^Too many words: this takes one word beside its flags\.$/)
  })
})

describe('given', () => {
  const env = { COINSLOT_ORIGIN: 'https://a.example', COINSLOT_CHAIN_ID: '', COINSLOT_BUDGET: '' }

  it('default: the flag, else its variable, else nothing', () => {
    expect(given({ origin: 'http://b.example/x' }, 'origin', env, originFlag)).toBe('http://b.example')
    expect(given({}, 'origin', env, originFlag)).toBe('https://a.example')
    expect(given({}, 'max-usdc', env, usdcFlag)).toBeUndefined()
  })

  it('behavior: an empty variable counts as missing, except for limits', () => {
    expect(given({}, 'chain-id', env, unlessEmpty(integerFlag))).toBeUndefined()
    expect(() => given({ 'chain-id': '' }, 'chain-id', env, unlessEmpty(integerFlag))).toThrow('--chain-id')
    expect(() => given({}, 'budget', env, usdcFlag)).toThrow('COINSLOT_BUDGET')
  })

  it('error: UsageError names the variable that is wrong, not the flag', () => {
    expect(() => given({}, 'via', { COINSLOT_VIA: 'a' }, originFlag)).toThrow('COINSLOT_VIA a: give a URL')
  })
})

describe('values', () => {
  it('default: a value is returned as given', () => {
    expect(integerFlag('--limit', '100', { max: 100 })).toBe(100)
    expect(choiceFlag('--pay', 'aic', ['usdc', 'aic'])).toBe('aic')
    expect(hexFlag('--signer', '0xaB', 2)).toBe('0xaB')
    expect(urlFlag('--fork', 'https://a.example/key?b')).toBe('https://a.example/key?b')
  })

  it.each(['0', '101', '-1', '1.5', '1e2', ' 5', ''])('error: UsageError where "%s" must be from 1 to 100', (text) => {
    const words = `--limit ${text}: give a whole number from 1 to 100`
    expect(() => integerFlag('--limit', text, { max: 100 })).toThrow(words)
  })

  it.each([
    [() => choiceFlag('--pay', 'eth', ['usdc', 'aic']), '--pay eth: give one of usdc, aic'],
    [() => hexFlag('--signer', '0x1', 40), '--signer 0x1: give 0x and 40 hexadecimal digits'],
    [() => usdcFlag('--budget', '0.0000001'), '--budget 0.0000001: give an amount of USDC'],
    [() => urlFlag('--fork', 'ftp://a.example'), '--fork ftp://a.example: give a URL'],
  ])('error: UsageError names the flag and its values: %s', (read, words) => {
    expect(read).toThrow(words)
  })
})
