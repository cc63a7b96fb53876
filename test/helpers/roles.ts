import { readFile } from 'node:fs/promises'

const ROLES_FILE = new URL('../../docs/deploy/roles.sql', import.meta.url)

/** The text of `docs/deploy/roles.sql` without what is psql's own: each role's password is `password-of-ROLE`. */
export async function readRoles(): Promise<string> {
  const text = await readFile(ROLES_FILE, 'utf8')
  return text
    .replace(/^\\(set|getenv) .*$/gm, '')
    .replace(/ \\g .*$/m, ';')
    .replaceAll(/:'(\w+)'/g, "'password-of-$1'")
}
