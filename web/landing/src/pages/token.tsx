import { createResource, For, Show } from 'solid-js'
import { SPECIFIED_ALLOCATION } from '../../../../contracts/checks/allocation.ts'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { LADDER } from '../../../shared/discount-ladder.ts'
import { formatDecimal } from '../../../shared/money.ts'
import { checksumAddress } from '../../../shared/wallet/checksum-address.ts'
import { percent, span } from '../format.ts'
import { messages } from '../messages/active.ts'
import { UnreadPart } from '../parts/unread-part.tsx'
import { useSale } from '../sale-context.tsx'

const BPS_PER_PERCENT = 100
const ALL_BPS = 10_000n
const VAULTS = ['liquidity', 'dev', 'team', 'marketing'] as const

/** What AIC is: who has it, what it does, where its contracts are, and the rules. */
export function TokenPage() {
  return (
    <>
      <Allocation />
      <h2>{messages.token.use}</h2>
      <p>{messages.token.useText}</p>
      <Ladder />
      <Contracts />
      <h2>{messages.token.rules}</h2>
      <Rules />
      <h2>{messages.token.questions}</h2>
      <For each={messages.token.questionList}>
        {([question, answer]) => (
          <details class="question">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        )}
      </For>
    </>
  )
}

/** The rules with the numbers of the chain. */
function Rules() {
  const { view } = useSale()
  const numbers = () => {
    const [sale, terms] = [view.sale(), view.terms()]
    return sale === null || terms === null ? null : { coolingOff: span(sale.coolingOff), notice: span(terms.notice) }
  }
  return (
    <Show when={numbers()} fallback={<UnreadPart />}>
      {(known) => (
        <ul class="rules">
          <For each={messages.token.ruleList}>
            {(rule) => <li>{typeof rule === 'string' ? rule : rule(known().coolingOff, known().notice)}</li>}
          </For>
        </ul>
      )}
    </Show>
  )
}

function Allocation() {
  const sum = SPECIFIED_ALLOCATION.reduce((all, row) => all + row.aic, 0n)
  return (
    <>
      <h2>{messages.token.allocation}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{messages.token.of}</th>
            <th scope="col">AIC</th>
            <th scope="col">{messages.token.share}</th>
          </tr>
        </thead>
        <tbody>
          <For each={SPECIFIED_ALLOCATION}>
            {(row) => (
              <tr>
                <th scope="row">{messages.token.allocations[row.name]}</th>
                <td>{formatDecimal(String(row.aic), 0)}</td>
                <td>{percent(Number((row.aic * ALL_BPS) / sum))}</td>
              </tr>
            )}
          </For>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{messages.token.sum}</th>
            <td>{formatDecimal(String(sum), 0)}</td>
            <td>{percent(Number(ALL_BPS))}</td>
          </tr>
        </tfoot>
      </table>
    </>
  )
}

function Ladder() {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{messages.token.staked}</th>
          <th scope="col">{messages.token.discount}</th>
        </tr>
      </thead>
      <tbody>
        <For each={LADDER}>
          {(tier) => (
            <tr>
              <th scope="row">{formatDecimal(tier.staked, 0)}</th>
              <td>{percent(tier.percent * BPS_PER_PERCENT)}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  )
}

function Contracts() {
  const { view } = useSale()
  const rows = (): (readonly [string, string])[] => {
    const terms = view.terms()
    const { config } = view
    const known = [
      [messages.token.names.token, config.token],
      [messages.token.names.presale, config.presale],
      [messages.token.names.claimModule, config.claimModule],
    ] as const
    if (terms === null) return [...known]
    const vaults = terms.routes.map(
      ({ vault }, index) => [messages.token.names[VAULTS[index] ?? 'liquidity'], vault] as const,
    )
    return [...known, [messages.token.names.presaleVault, terms.presaleVault], ...vaults]
  }
  return (
    <>
      <h2>{messages.token.contracts}</h2>
      <p>{messages.token.noSending}</p>
      <section class="table-frame" tabindex="0" aria-label={messages.token.contracts}>
        <table class="table-rows">
          <thead>
            <tr>
              <th scope="col">{messages.token.contract}</th>
              <th scope="col">{messages.token.address}</th>
            </tr>
          </thead>
          <tbody>
            <For each={rows()}>{([name, address]) => <ContractRow name={name} address={address} />}</For>
          </tbody>
        </table>
      </section>
      <Show when={view.terms() === null}>
        <UnreadPart />
      </Show>
    </>
  )
}

function ContractRow(props: { name: string; address: string }) {
  const { view } = useSale()
  const [checksummed] = createResource(
    () => props.address,
    (address) => checksumAddress(address).catch(() => address),
  )
  const address = (): string => checksummed.latest ?? props.address
  return (
    <tr>
      <th scope="row">{props.name}</th>
      <td class="address-cell">
        <Show when={view.config.explorer} fallback={<code>{address()}</code>}>
          {(explorer) => (
            <a href={`${explorer()}/address/${address()}`} target="_blank" rel="noreferrer">
              <code>{address()}</code>
            </a>
          )}
        </Show>
        <CopyButton text={address()} what={props.name} />
      </td>
    </tr>
  )
}
