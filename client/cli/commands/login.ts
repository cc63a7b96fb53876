import { type Command, printJson, printLine, withContext } from '../command.ts'
import { readFlags } from '../flags.ts'

export const login: Command = {
  summary: 'sign in; the session is kept for 7 days',
  usage: 'login',
  run: async (args) => {
    const { values } = readFlags(args, {})
    await withContext(values, async ({ context, screen, isJson }) => {
      const account = await context.account()
      screen.wait('signing in')
      const session = await context.coinslot(account).signIn()
      screen.end()
      if (isJson) printJson({ origin: context.origin, ...session })
      else printLine(`${session.address} is signed in at ${context.origin} on chain ${session.chainId}`)
    })
  },
}
