import { atDesk, type Command, printJson, printLine } from '../command.ts'
import { readFlags } from '../flags.ts'

export const login: Command = {
  summary: 'sign in; the session is kept for 7 days',
  usage: 'login',
  run: async (args) => {
    const { values } = readFlags(args, {})
    await atDesk(values, async ({ desk, screen, isJson }) => {
      const account = await desk.account()
      screen.wait('signing in')
      const session = await desk.coinslot(account).signIn()
      screen.end()
      if (isJson) printJson({ origin: desk.origin, ...session })
      else printLine(`${session.address} is signed in at ${desk.origin} on chain ${session.chainId}`)
    })
  },
}
