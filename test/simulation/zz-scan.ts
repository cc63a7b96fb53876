import { openInProcessDatabase } from '../helpers/in-process-database.ts'
import { runChaos } from './run.ts'
import { GUARDS, MUTANTS } from './mutants.ts'
const db = await openInProcessDatabase()
for (const g of ["period"] as const) {
  const m: any = MUTANTS[g]
  const d = m.prepare ? await openInProcessDatabase() : db
  if (m.prepare) await m.prepare(d.database)
  const save = m.prepare; m.prepare = undefined
  let b: [number, number] = [999, 0]
  for (let s = 61; s <= 220 && b[0] > 2; s++) {
    const r = await runChaos({ database: d, runs: Math.min(b[0] - 1, 8), seed: s, mutant: g, shrink: false })
    if (r.violations.length && r.runs < b[0]) b = [r.runs, s]
  }
  m.prepare = save
  console.log(g, b, process.cpuUsage().user / 1e6)
}
process.exit()
