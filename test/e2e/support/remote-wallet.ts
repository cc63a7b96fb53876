import { SignClient } from '@walletconnect/sign-client'
import type { TestWallet } from './test-wallet.ts'

type Client = Awaited<ReturnType<typeof SignClient.init>>

/** A wallet on another device: it uses WalletConnect's protocol over a relay, and answers with the given wallet. */
export class RemoteWallet {
  private readonly client: Client

  private constructor(client: Client) {
    this.client = client
  }

  static async open(relayUrl: string, answers: TestWallet): Promise<RemoteWallet> {
    const client = await SignClient.init({
      projectId: 'test',
      relayUrl,
      logger: 'silent',
      telemetryEnabled: false,
      metadata: { name: 'Remote Wallet', description: 'A test', url: 'https://wallet.example', icons: [] },
      storageOptions: { database: ':memory:' },
    })
    client.on('session_proposal', ({ id, params }) => {
      const chains = params.optionalNamespaces['eip155']?.chains ?? []
      const methods = params.optionalNamespaces['eip155']?.methods ?? []
      const accounts = chains.map((chain) => `${chain}:${answers.account.address}`)
      const events = ['accountsChanged', 'chainChanged']
      void client.approve({ id, namespaces: { eip155: { chains, accounts, methods, events } } })
    })
    client.on('session_request', ({ id, topic, params: { request } }) => {
      void answers.reply(request.method, request.params).then((reply) =>
        client.respond({
          topic,
          response:
            'ok' in reply
              ? { id, jsonrpc: '2.0', result: reply.ok }
              : { id, jsonrpc: '2.0', error: { code: 5000, message: 'User rejected.' } },
        }),
      )
    })
    return new RemoteWallet(client)
  }

  /** Scans the address that the page shows. */
  async pair(uri: string): Promise<void> {
    await this.client.core.pairing.pair({ uri })
  }

  /** How many sites it is connected with. */
  sessions(): number {
    return this.client.session.length
  }

  async close(): Promise<void> {
    await this.client.core.relayer.transportClose()
  }
}
