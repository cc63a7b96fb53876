/** How the command line is called here, so that what a hint says can be pasted: npx tells the programs that it starts. */
export const PROGRAM = process.env['npm_command'] === 'exec' ? 'npx --no coinslot' : 'coinslot'
