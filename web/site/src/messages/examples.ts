/** Commands to paste into a terminal: the models, and the price of one picture. */
export function curlExample(origin: string): string {
  return `# the models and their prices
curl ${origin}/api/models

# the price of one picture
curl ${origin}/api/inference/estimate \\
  -H 'content-type: application/json' \\
  -d '{"task":"text-to-image","model":"black-forest-labs/flux-schnell","input":{"prompt":"a red bicycle"}}'`
}

/** A whole purchase with the published x402 client. It needs no cookies: each request is signed. */
export function fetchExample(origin: string): string {
  return `import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const origin = '${origin}'
const { PRIVATE_KEY } = process.env
if (!PRIVATE_KEY) throw new Error('Set PRIVATE_KEY to the key of a wallet that holds USDC.')
const account = privateKeyToAccount(PRIVATE_KEY)
const { networks: [{ network, usdc: asset }] } = await (await fetch(\`\${origin}/.well-known/coinslot.json\`)).json()
// at most 0.02 USDC a payment
const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
client.setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: '20000' }] })
const buy = wrapFetchWithPayment(wrapFetchWithSIWx(fetch, account), client)
const headers = { 'content-type': 'application/json' }
const body = '{"task":"text-to-image","model":"black-forest-labs/flux-schnell","input":{"prompt":"a red bicycle"}}'
const answer = await buy(\`\${origin}/api/inference\`, { method: 'POST', headers, body })
console.log(await answer.json())`
}
