import { migratedTemplate } from '../../dev/neon/template.ts'

/** Vitest's global setup: makes the database template once, so that test files which start at once do not each make it. */
export default async function setup(): Promise<void> {
  await migratedTemplate()
}
