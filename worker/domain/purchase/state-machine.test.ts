import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fromStates, journalStates, paymentEvents, transition } from './state-machine.ts'

/** The table under "The transitions" as event -> state -> state. */
function documentedTable(): Map<string, Map<string, string>> {
  const page = readFileSync(new URL('../../../docs/design/purchase.md', import.meta.url), 'utf8')
  const section = page.split('## The transitions')[1]?.split('What each event answers')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''))
  const [, ...states] = cells(rows[0] ?? '')
  return new Map(
    rows.slice(2).map((line) => {
      const [event = '', ...ends] = cells(line)
      return [event, new Map(states.map((state, index) => [state, ends[index] ?? '']))]
    }),
  )
}

describe('the journal', () => {
  const table = documentedTable()

  it('default: the documented table has every event and every state', () => {
    expect([...table.keys()]).toEqual([...paymentEvents])
    for (const row of table.values()) expect([...row.keys()]).toEqual(['none', ...journalStates])
  })

  for (const event of paymentEvents) {
    it(`default: ${event} moves as documented`, () => {
      for (const state of ['none', ...journalStates] as const) {
        expect(transition(state, event) ?? '', `${event} in ${state}`).toBe(table.get(event)?.get(state))
      }
    })
  }

  it('behavior: done is final, only an operator leaves owed, nothing unpaid leads to them', () => {
    for (const event of paymentEvents) {
      expect(transition('done', event)).toBeNull()
      expect(transition('owed', event)).toBe(event === 'rerun' ? 'settled' : null)
    }
    expect(fromStates('record_success', 'done')).toEqual(['settled'])
    expect(fromStates('record_failure', 'owed')).toEqual(['settled'])
  })
})
