import { For, Show } from 'solid-js'
import { devFacts } from '../../../shared/dev-chain.ts'
import { chooseDemoAccount } from '../../../shared/wallet/demo-option.ts'
import { isDemo } from '../../../shared/wallet/provider.ts'
import { pageMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import { createValue } from '../primitives/create-value.ts'

/** On the local chain: the demo wallet's funded keys. Each has a different amount of AIC. */
export default function DemoAccounts() {
  const app = useApp()
  const facts = createValue(() => (app.identity.wallet() !== null ? true : null), devFacts)
  const shown = () => {
    const wallet = app.identity.wallet()
    return wallet !== null && isDemo(wallet.option) ? facts() : null
  }
  return (
    <Show when={shown()}>
      {(local) => (
        <div class="filter demo-accounts">
          <label for="demo-account">{pageMessages.account.demoAccounts}</label>
          <select
            id="demo-account"
            aria-describedby="demo-help"
            onChange={(event) => chooseDemoAccount(event.currentTarget.value)}
          >
            <For each={local().buyers}>
              {({ address }) => (
                <option value={address} selected={address === app.identity.wallet()?.address}>
                  {address}
                </option>
              )}
            </For>
          </select>
          <small id="demo-help">{pageMessages.account.demoHelp}</small>
        </div>
      )}
    </Show>
  )
}
