import { explain, migrate } from './migrator.ts'

async function main(): Promise<void> {
  const url = process.env['DATABASE_URL']
  if (!url) throw new Error('DATABASE_URL is not set: name the database to migrate')
  console.log(`The database is up to date: ${await migrate(url)} migrations in place.`)
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(`Migration failed. ${explain(error)}`)
    process.exitCode = 1
  })
}
