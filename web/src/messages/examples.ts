/** Commands to paste into a terminal: the models, and the price of one picture. */
export function curlExample(origin: string): string {
  return `# the models and their prices
curl ${origin}/api/models

# the price of one picture
curl ${origin}/api/inference/estimate \\
  -H 'content-type: application/json' \\
  -d '{"task":"text-to-image","model":"black-forest-labs/flux-schnell","input":{"prompt":"a red bicycle"}}'`
}

/** A whole purchase: sign in with viem, pay with the standard x402 client. */
export function fetchExample(origin: string): string {
  return `import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

const origin = '${origin}'
// of a wallet with USDC
const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const cookies = new Map()

// fetch that keeps cookies, as a browser does
async function call(input, init) {
  const request = new Request(input, init)
  request.headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
  const response = await fetch(request)
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = line.match(/^([^=]+)=([^;]*)/)
    cookies.set(name, value)
  }
  return response
}

const csrf = () => cookies.get('__Host-csrf') ?? cookies.get('csrf')
const headers = () => ({ 'content-type': 'application/json', 'x-csrf-token': csrf() })

const { networks: [network] } = await (await call(\`\${origin}/.well-known/coinslot.json\`)).json()
const { nonce } = await (await call(\`\${origin}/api/auth/nonce\`)).json()
const message = createSiweMessage({
  address: account.address, chainId: network.chainId, domain: new URL(origin).host,
  nonce, uri: origin, version: '1',
})
const signature = await account.signMessage({ message })
const signedIn = await call(\`\${origin}/api/auth/verify\`, {
  method: 'POST', headers: headers(), body: JSON.stringify({ message, signature }),
})
if (!signedIn.ok) throw new Error(await signedIn.text())

// at most 0.02 USDC a payment
const client = x402Client
  .fromConfig({ schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }] })
  .setSpendControls({
    allowedAssets: [{ network: network.network, asset: network.usdc, maxAmountPerPayment: '20000' }],
  })
const buy = wrapFetchWithPayment(call, client)
const answer = await buy(\`\${origin}/api/inference\`, {
  method: 'POST',
  headers: headers(),
  body: JSON.stringify({
    task: 'text-to-image', model: 'black-forest-labs/flux-schnell', input: { prompt: 'a red bicycle' },
  }),
})
console.log(await answer.json())`
}
