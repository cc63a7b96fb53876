import { expect, test } from 'vitest'
import { parseStackFlags } from './flags.ts'

test('default: without flags it has the dev chain, five buyers, a facilitator and limits', () => {
  expect(parseStackFlags([])).toEqual({
    chainId: 31337,
    buyers: 5,
    facilitator: true,
    limits: true,
    paymentSignIn: false,
    watch: false,
    writeDevVars: false,
    json: false,
    quiet: false,
    via: {},
  })
})

test('default: every flag is read', () => {
  const argv = [
    '--port',
    '9000',
    '--state',
    'kept',
    '--fork',
    'https://rpc.example',
    '--chain-id=31337',
    '--buyers',
    '2',
  ]
  argv.push(
    '--no-facilitator',
    '--no-limits',
    '--payment-sign-in',
    '--watch',
    '--json',
    '--quiet',
    '--via',
    'rpc=http://127.0.0.1:1/',
  )
  argv.push('--via', 'database=http://127.0.0.1:2/sql?a=b')
  expect(parseStackFlags(argv)).toEqual({
    port: 9000,
    state: 'kept',
    fork: 'https://rpc.example',
    chainId: 31337,
    buyers: 2,
    facilitator: false,
    limits: false,
    paymentSignIn: true,
    watch: true,
    writeDevVars: false,
    json: true,
    quiet: true,
    via: { rpc: 'http://127.0.0.1:1/', database: 'http://127.0.0.1:2/sql?a=b' },
  })
})

test.each([
  [['--prot', '1'], /There is no flag --prot.*Known flags: --port --state .*--via/],
  [['start'], /Too many words: this takes flags only/],
  [['--port', '70000'], /--port 70000: give a whole number from 1 to 65535/],
  [['--port', '0'], /--port 0: give a whole number from 1/],
  [['--port', '1e3'], /--port 1e3/],
  [['--buyers', '0'], /--buyers 0/],
  [['--chain-id', '5'], /--chain-id 5: give one of .*84532/],
  [['--no-facilitator', '--chain-id', '84532'], /--no-facilitator works on the dev chain only/],
  [['--write-dev-vars', '--chain-id', '84532'], /--write-dev-vars works on the dev chain only/],
  [['--write-dev-vars', '--watch'], /npm run dev runs wrangler dev itself/],
  [['--fork', 'sepolia'], /--fork sepolia: give a URL/],
  [['--via', 'mail=http://127.0.0.1:1'], /PART one of rpc, facilitator, database, store, provider/],
  [['--via', 'rpc=127.0.0.1:1'], /--via rpc 127.0.0.1:1: give a URL/],
  [['--via', 'rpc'], /PART=URL/],
])('error: %j is refused with what is valid', (argv, message) => {
  expect(() => parseStackFlags(argv)).toThrow(message)
})
