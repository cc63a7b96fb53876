import { startPostgres } from './helpers/postgres.ts'
import { runChaos } from './simulation/run.ts'
const pg = await startPostgres()
const t = Date.now()
const r = await runChaos({ runs: 500, seed: 7, postgresUrl: pg?.url ?? '' })
console.log('POSTGRES', r.runs, 'schedules', r.violations.length, 'violations', Math.round((Date.now() - t) / 1000), 's')
for (const v of r.violations) console.log(v)
await pg?.close()
process.exit(0)
