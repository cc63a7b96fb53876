import { parseArgs } from 'node:util'
import { explain, migrate } from './migrator.ts'

const HELP = `npm run db:migrate [-- --help]

Brings the database at DATABASE_URL up to date: runs the migrations in db/migrations that it does not have yet, in order.
Safe to run at any time, also twice.
`

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } }, strict: true })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const url = process.env['DATABASE_URL']
  if (!url) throw new Error('DATABASE_URL is not set: name the database to migrate')
  console.log(`The database is up to date: ${await migrate(url)} migrations in place.`)
}

if (import.meta.main) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`Migration failed. ${explain(error)}`)
    process.exitCode = 1
  })
}
