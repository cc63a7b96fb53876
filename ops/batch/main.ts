import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { createClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { parseFlags, runProgram } from '../../client/cli/flags.ts'
import { deployPaymentBatch } from '../../contracts/script/deploy.ts'
import { loadBatchSettings } from '../../facilitator/env.ts'
import { chainIdOf, networkName } from '../../protocol/networks.ts'

const HELP = `npm run contracts -- batch [--env-file FILE]

Deploys the batch contract of our own facilitator, one for each network of PAYMENT_NETWORKS that FACILITATOR_BATCH_CONTRACTS does not
name yet, and prints the variable with the new addresses. It pays RECEIVER_ADDRESS only, and nothing in it can be changed: after a
change of the receiver or of the tokens, deploy another one. Reads the facilitator's variables, and pays with its first key.

  --env-file FILE  read the variables from there (default: the environment)
  --help           this text
`

await runProgram(HELP, async (args) => {
  const { values } = parseFlags(args, { 'env-file': { type: 'string' } } as const)
  const file = values['env-file']
  const { networks, privateKey } = loadBatchSettings(
    file === undefined ? process.env : parseEnv(await readFile(file, 'utf8')),
  )
  const account = privateKeyToAccount(privateKey)
  const entries: string[] = []
  for (const { network, rpcUrl, payTo, assets, batch } of networks) {
    const chain = defineChain({
      id: chainIdOf(network),
      name: networkName(network),
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    })
    const client = createClient({ account, chain, transport: http(rpcUrl) })
    const address = batch ?? (await deployPaymentBatch(client, payTo, assets))
    console.error(`${networkName(network)}: ${batch === undefined ? 'deployed at' : 'has'} ${address}`)
    entries.push(`${network}=${address}`)
  }
  console.log(`FACILITATOR_BATCH_CONTRACTS=${entries.join(',')}`)
  return true
})
