import { UsageError } from './errors.ts'

/** Never reached through a proxy: the local stack. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]'

/** The first variable that names a proxy, or undefined. */
function proxyVariable(env: NodeJS.Dict<string>): string | undefined {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  return names.find((name) => (env[name] ?? '') !== '')
}

/**
 * Sends every `fetch` of this process through the proxies that `HTTP_PROXY` and `HTTPS_PROXY` name, but for the hosts of `NO_PROXY`
 * and this machine. Does nothing without them. Throws `UsageError` for a proxy that is not an address.
 */
export async function useProxyOf(env: NodeJS.Dict<string>): Promise<void> {
  const variable = proxyVariable(env)
  if (variable === undefined) return
  // Loaded where it is needed: most calls have no proxy.
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici')
  const named = env['no_proxy'] ?? env['NO_PROXY'] ?? ''
  try {
    setGlobalDispatcher(new EnvHttpProxyAgent({ noProxy: named === '*' ? named : [named, LOOPBACK].join(',') }))
  } catch {
    throw new UsageError(`The variable ${variable} is not the address of a proxy, such as http://proxy.example:3128.`)
  }
}

/** What to say about proxies where no connection was made. */
export function proxyHint(env: NodeJS.Dict<string>): string {
  const variable = proxyVariable(env)
  return variable === undefined
    ? 'Behind a proxy? Set HTTPS_PROXY.'
    : `Calls go through the proxy of ${variable}; NO_PROXY names hosts that do not.`
}
