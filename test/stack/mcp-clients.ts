import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import type { x402Client } from '@x402/fetch'
import { withX402Client } from 'agents/x402'
import type { LocalAccount } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { startLossyProxy } from '../../client/testing/lossy-proxy.ts'
import { toHeader } from '../../protocol/base64.ts'
import { expectOneTransferEach, type Paid, repeatingFetch } from '../helpers/buying.ts'
import { challengeInfoSchema } from '../helpers/challenge.ts'
import type { TestStack } from '../helpers/stack.ts'

const CLIENT_INFO = { name: 'test', version: '1' }
const LOST_SHARE = 0.3
const SEED = 22
const MOST_PURCHASES = 15

/** One call of each tool that buys, and what its first block of content is like. */
const PURCHASES = [
  { name: 'generate_image', arguments: { prompt: 'a red bicycle' }, text: /^Permanent link:\n.+\.webp$/ },
  { name: 'write_text', arguments: { prompt: 'Why is the sea blue?' }, text: /\w+ \w+/ },
  { name: 'speak', arguments: { text: 'Good morning.' }, text: /^Permanent link:\n.+\.wav$/ },
]

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()),
  _meta: z.record(z.string(), z.unknown()).optional(),
})
type ToolResult = z.infer<typeof resultSchema>

interface Connected {
  /** The negotiated protocol version. */
  version: string | undefined
  toolNames(): Promise<string[]>
  /** A call by the client's own method. */
  call(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolResult>
  /** A call that pays what is asked. */
  buy(name: string, args: Record<string, unknown>): Promise<ToolResult>
  close(): Promise<void>
}

type Connect = (origin: string, account: LocalAccount, transport: typeof fetch) => Promise<Connected>

/** The client of 2026-07-28: no handshake, facts about the client in each request. */
const connect2026: Connect = async (origin, account, transport) => {
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { fetch: transport }))
  const call = client.callTool.bind(client)
  const version = client.getNegotiatedProtocolVersion()
  const paying = withX402Client(client, { account, network: 'eip155:84532' })
  return {
    version,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, _meta = {}) => resultSchema.parse(await call({ name, arguments: args, _meta })),
    buy: async (name, args) => resultSchema.parse(await paying.callTool(null, { name, arguments: args })),
    close: () => client.close(),
  }
}

const connect2025: Connect = async (origin, account, transport) => {
  const client = new ClientOf2025(CLIENT_INFO)
  const http = new TransportOf2025(new URL(`${origin}/mcp`), { fetch: transport })
  await client.connect(http)
  const call = client.callTool.bind(client)
  const paying = withX402Client(client, { account, network: 'eip155:84532' })
  return {
    version: http.protocolVersion,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, _meta = {}) => resultSchema.parse(await call({ name, arguments: args, _meta })),
    buy: async (name, args) => resultSchema.parse(await paying.callTool(null, { name, arguments: args })),
    close: () => client.close(),
  }
}

const settledSchema = z.object({ success: z.literal(true), transaction: z.string() })

async function buyOneOfEach(connected: Connected): Promise<Paid[]> {
  const paid: Paid[] = []
  for (const { name, arguments: args, text } of PURCHASES) {
    const result = await connected.buy(name, args)
    expect([name, result.isError, result.content[0]?.text]).toEqual([name, undefined, expect.stringMatching(text)])
    paid.push(paidFor(result))
  }
  return paid
}

function paidFor({ _meta, structuredContent }: ToolResult): Paid {
  const { transaction } = settledSchema.parse(_meta?.['x402/payment-response'])
  expect(structuredContent['transaction']).toBe(transaction)
  return { transaction, amount: String(structuredContent['paidAtomic']) }
}

const CLIENTS = [
  { version: '2025-11-25', connect: connect2025, at: 0 },
  { version: '2026-07-28', connect: connect2026, at: 2 },
] as const

interface Stacks {
  /** With `PAYMENT_SIGN_IN`. */
  byPayment: { stack: () => TestStack; buyers: readonly [number, number, number, number] }
  byProof: { stack: () => TestStack; buyer: number; payer(account: LocalAccount): x402Client }
}

export function describeMcpClients({ byPayment, byProof }: Stacks): void {
  describe('an unmodified MCP client with x402’s binding', () => {
    it.each(CLIENTS)('default: at $version it buys a picture, a text and a sound', async ({ version, connect, at }) => {
      const stack = byPayment.stack()
      const { account } = stack.buyer(byPayment.buyers[at])
      const connected = await connect(stack.info.origin, account, fetch)
      expect([connected.version, await connected.toolNames()]).toEqual([version, expect.arrayContaining(['speak'])])
      expect((await connected.call('list_models', { task: 'sound' })).structuredContent).toMatchObject({
        models: expect.arrayContaining([expect.objectContaining({ task: 'text-to-sound' })]),
      })
      expect((await connected.call('estimate', { task: 'text', maxUsdc: '0.000001' })).structuredContent).toMatchObject(
        {
          estimatedCostUsdc: expect.stringMatching(/^0\.\d{6}$/),
          withinMaxUsdc: false,
        },
      )
      await expectOneTransferEach(stack, account, await buyOneOfEach(connected))
      await connected.close()
    })

    it.each(CLIENTS)('behavior: at $version, where 30 % of the answers are lost', async ({ connect, at }) => {
      const stack = byPayment.stack()
      const { origin } = stack.info
      const proxy = await startLossyProxy(origin, LOST_SHARE, SEED)
      try {
        const { account } = stack.buyer(byPayment.buyers[at === 0 ? 1 : 3])
        const caller = repeatingFetch(origin, proxy)
        const connected = await connect(origin, account, caller.fetch)
        const paid: Paid[] = []
        // The client's calls may overtake each other, so the seed alone does not decide which answers are lost.
        while (paid.length < MOST_PURCHASES && caller.lostPaidCalls() === 0) {
          paid.push(...(await buyOneOfEach(connected)))
        }
        expect(caller.lostPaidCalls()).toBeGreaterThan(0)
        await expectOneTransferEach(stack, account, paid)
        await connected.close()
      } finally {
        await proxy.close()
      }
    })

    it('default: without PAYMENT_SIGN_IN it buys with a proof in the header', async () => {
      const stack = byProof.stack()
      const { account } = stack.buyer(byProof.buyer)
      let proof: string | undefined
      const withProof: typeof fetch = (input, init) => {
        const request = new Request(input, init)
        if (proof !== undefined) request.headers.set('SIGN-IN-WITH-X', proof)
        return fetch(request)
      }
      const connected = await connect2026(stack.info.origin, account, withProof)
      const prompt = { prompt: 'Why is the sea blue?' }
      proof = await proofFor(await connected.call('write_text', prompt), account)
      const price = await connected.call('write_text', prompt)
      const payment = await byProof.payer(account).createPaymentPayload(requiredOf(price))
      const result = await connected.call('write_text', prompt, { 'x402/payment': payment })
      await expectOneTransferEach(stack, account, [paidFor(result)])

      const id = String(result.structuredContent['id'])
      expect((await connected.call('status', { id })).structuredContent).toMatchObject({ id, status: 'succeeded' })
      const reader = await stack.signedIn(byProof.buyer)
      const receipt = await (await reader.call(`/api/inference/${id}/receipt`)).text()
      expect((await connected.call('verify_receipt', { receipt })).structuredContent).toMatchObject({
        isOfThisService: true,
        receipt: { id, payer: account.address },
      })
      proof = undefined
      expect((await connected.call('status', { id })).structuredContent).toMatchObject({ nextAction: 'sign_in' })
      await connected.close()
    })
  })
}

/** The price, which must fit the published schema and be the same in all three places. */
function requiredOf({ content, structuredContent, _meta }: ToolResult) {
  PaymentRequiredV2Schema.parse(structuredContent)
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
  expect(_meta?.['x402/error']).toEqual(structuredContent)
  return decodePaymentRequiredHeader(toHeader(structuredContent))
}

const challengeSchema = z.object({
  info: challengeInfoSchema,
  supportedChains: z.tuple([z.object({ chainId: z.string() })], z.unknown()),
})
const extensionsSchema = z.object({ extensions: z.object({ 'sign-in-with-x': challengeSchema }) })

/** The header that answers the challenge of a price. */
async function proofFor({ structuredContent }: ToolResult, account: LocalAccount): Promise<string> {
  const { info, supportedChains } = extensionsSchema.parse(structuredContent).extensions['sign-in-with-x']
  const [{ chainId }] = supportedChains
  return encodeSIWxHeader(await createSIWxPayload({ ...info, chainId, type: 'eip191' }, account, info.uri))
}
