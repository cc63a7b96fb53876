import { parseAbiItem } from 'viem'
import { getLogs } from 'viem/actions'
import { type Arrow, type Trace, traceOf } from './arrows.ts'
import type { Buyer } from './buyer.ts'
import type { ProxiedStack } from './proxied-stack.ts'
import type { Fault, Hold } from './proxy.ts'
import { decodeHeader, nonceOf, type SignOverrides } from './sign-payment.ts'
import { holdRun, scriptProvider } from './stack.ts'

/** The purchase when nothing else is said. */
const TEXT = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct' }
const usedEvent = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')

/** The members of an answer, for comparison; members that are not there are left out. */
export interface Verdict {
  status: number
  code?: string
  paymentState?: string
  nextAction?: string
}

/** One payment on the proxied stack: what is sent, what is answered, what it left in the world. */
export interface Scenario {
  buyer: Buyer
  body: { input: { prompt: string } }
  header: string
  nonce: string
  trace: Trace
  /** Sends the payment; always the same one. */
  send(headers?: Record<string, string>): Promise<Verdict>
  /** The same, with whatever comes back. */
  fetch(headers?: Record<string, string>): Promise<Response>
  /** Scripts this purchase's run at the provider. */
  script(run: Record<string, unknown>): Promise<void>
  /** This purchase's run does not end before the returned function is called. */
  holdRun(): Promise<() => Promise<void>>
  /** The last answer of `send`. */
  last(): { headers: Headers; body: Record<string, unknown>; receipt: unknown }
  hold(arrow: Arrow, what: 'request' | 'answer'): Hold
  spoil(arrow: Arrow, fault: Exclude<Fault, { kind: 'hold' }>, times?: number): () => void
  /** Calls of `/verify` and `/settle`, transfers on chain, runs at the provider. */
  counts(): Promise<{ verify: number; settle: number; transfers: number; predictions: number }>
  journal(): Promise<Record<string, unknown> | undefined>
}

let number = 0

/** Quotes and signs one run, of a text unless another `task` is given. */
export async function openScenario(
  stack: ProxiedStack,
  buyer: Buyer,
  signed: SignOverrides = {},
  task: { task: string; model: string } = TEXT,
): Promise<Scenario> {
  number += 1
  const body = { ...task, input: { prompt: `Tell a sailor about lighthouse number ${number}.` } }
  const header = await buyer.sign(await buyer.quote(body), signed)
  const nonce = nonceOf(header)
  const trace = traceOf(stack, nonce)
  let last: ReturnType<Scenario['last']> | undefined

  const pay = (headers: Record<string, string> = {}): Promise<Response> => buyer.pay(body, header, headers)

  async function send(headers?: Record<string, string>): Promise<Verdict> {
    const response = await pay(headers)
    const problem: Record<string, unknown> = JSON.parse(await response.text())
    const receipt = response.headers.get('Payment-Response')
    last = { headers: response.headers, body: problem, receipt: receipt === null ? null : decodeHeader(receipt) }
    return verdictOf(response.status, problem)
  }

  async function journal() {
    return (await stack.rows('payments')).find((row) => row['nonce'] === nonce)
  }

  return {
    buyer,
    body,
    header,
    nonce,
    trace,
    send,
    fetch: pay,
    script: (run) => scriptRun(stack, body.input.prompt, run),
    holdRun: () => holdRun(stack, body.input.prompt),
    last() {
      if (last === undefined) throw new Error('nothing was sent yet')
      return last
    },
    hold(arrow, what) {
      const { part, match } = trace.match(arrow)
      return stack.via[part].hold(match, what)
    },
    spoil(arrow, fault, times) {
      const { part, match } = trace.match(arrow)
      return stack.via[part].spoil(match, fault, times)
    },
    counts: async () => countsOf(stack, trace, nonce, await journal()),
    journal,
  }
}

/** Scripts the provider's next run of `prompt`. */
const scriptRun = (stack: ProxiedStack, prompt: string, run: Record<string, unknown>): Promise<void> =>
  scriptProvider(stack, { runs: [{ match: prompt, ...run }] })

async function countsOf(stack: ProxiedStack, trace: Trace, nonce: string, row: Record<string, unknown> | undefined) {
  const args = { nonce: `0x${nonce.slice(2)}` } as const
  const used = await getLogs(stack.client, { address: stack.info.usdc, event: usedEvent, args, fromBlock: 0n })
  const seen = (arrow: Arrow): number => stack.via.facilitator.count(trace.match(arrow).match)
  return {
    verify: seen('verify'),
    settle: seen('settle'),
    transfers: used.length,
    predictions: await stack.predictions(String(row?.['inference_id'] ?? 'none')),
  }
}

export function verdictOf(status: number, body: Record<string, unknown>): Verdict {
  const text_ = (name: string) => {
    const value = body[name]
    return typeof value === 'string' ? { [name]: value } : {}
  }
  return { status, ...text_('code'), ...text_('paymentState'), ...text_('nextAction') }
}
