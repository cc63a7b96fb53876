/** The command as the user types it, so that hints can be pasted. npx sets `npm_command` for what it starts. */
export const PROGRAM = process.env['npm_command'] === 'exec' ? 'npx --no coinslot' : 'coinslot'

export const VERSION = '1.0.0'
