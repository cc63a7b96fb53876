import { type Fields, fields, isFields, list, maybeFields, maybeStr, num, str } from './shape.ts'

/** The local stack's description of itself, served beside the site on loopback only. */
export interface DevFacts {
  chainId: number
  /** JSON-RPC of the chain, under our own origin. */
  rpcPath: string
  usdc: string
  aic: string | null
  buyers: { address: string; privateKey: string }[]
  /** Addresses by the contract's name. */
  contracts: Fields
  /** The JSON of the plan of the presale's launch. */
  launchPlan: string | null
  /** A relay of WalletConnect's protocol on this machine, for tests. */
  walletConnect: { projectId: string; relayUrl: string } | null
}

let asked: Promise<DevFacts> | undefined

/** Reads the description of the running local stack once, and again after a failure. */
export function devFacts(): Promise<DevFacts> {
  asked ??= fetch('/dev/stack.json')
    .then((response) => response.json())
    .then(readDevFacts)
    .catch((error: unknown) => {
      asked = undefined
      throw error
    })
  return asked
}

function readDevFacts(body: unknown): DevFacts {
  const from = fields(body)
  return {
    chainId: num(from, 'chainId'),
    rpcPath: str(from, 'rpcPath'),
    usdc: str(from, 'usdc'),
    aic: maybeStr(from, 'aic'),
    buyers: list(from, 'buyers', (value) => {
      const buyer = fields(value, 'buyer')
      return { address: str(buyer, 'address'), privateKey: str(buyer, 'privateKey') }
    }),
    contracts: maybeFields(from, 'contracts') ?? {},
    launchPlan: maybeStr(from, 'launchPlan'),
    walletConnect: readRelay(maybeFields(from, 'walletConnect')),
  }
}

const readRelay = (from: Fields | null): DevFacts['walletConnect'] =>
  from === null ? null : { projectId: str(from, 'projectId'), relayUrl: str(from, 'relayUrl') }

/** One JSON-RPC call to the local chain. Throws the chain's error message. */
export async function askDevChain(method: string, params: unknown[]): Promise<unknown> {
  const { rpcPath } = await devFacts()
  const response = await fetch(rpcPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = fields(await response.json(), 'rpc')
  if (isFields(answer['error'])) throw new Error(str(answer['error'], 'message'))
  return answer['result']
}

const MINT = '0x40c10f19'
/** 100 USDC in atomic units, as a 32-byte word. */
const FAUCET_AMOUNT = (100_000_000).toString(16).padStart(64, '0')

/** Mints 100 test USDC: the chain's first unlocked account is its minter. */
export async function askFaucet(address: string): Promise<void> {
  const { usdc } = await devFacts()
  const accounts = await askDevChain('eth_accounts', [])
  const [minter]: unknown[] = Array.isArray(accounts) ? accounts : []
  const data = `${MINT}${address.slice(2).toLowerCase().padStart(64, '0')}${FAUCET_AMOUNT}`
  await askDevChain('eth_sendTransaction', [{ from: minter, to: usdc, data }])
}
