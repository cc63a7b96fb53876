/** The words of one program: the first is a file of this repository, which runs on Node, or a program that npm installed. */
export interface Step {
  words: readonly string[]
  env?: Readonly<Record<string, string>>
  /** True if it takes the flags of the command line. */
  takesFlags?: true
}
type Steps = Readonly<Record<string, readonly Step[]>>

const step = (words: string, more: Omit<Step, 'words'> = {}): Step => ({ words: words.split(' '), ...more })
/** A script that is the whole of what a name means. */
const script = (words: string): readonly Step[] => [step(words, { takesFlags: true })]

const site = [step('vite build web/site')]
const landing = [step('vite build web/landing')]
const dashboard = [step('vite build web/dashboard')]
const pages = (dist: string, project: string): Step =>
  step(`wrangler pages deploy ${dist} --project-name ${project}`, { takesFlags: true })

const GAS = '--match-test test_Gas_'

/** The steps that each name of a command runs, one after the other, until one fails. */
export const COMMANDS: Readonly<Record<string, { steps: Steps; unlessNamed: readonly string[] }>> = {
  build: {
    steps: {
      web: site,
      // The build that the local stack makes for itself: it alone may hold the demo wallet.
      local: [step('vite build web/site --mode stack')],
      landing,
      dashboard,
      node: script('worker/node/build.ts'),
    },
    unlessNamed: ['web'],
  },
  deploy: {
    steps: {
      web: [...site, pages('web/dist', 'coinslot')],
      landing: [...landing, pages('web/landing/dist', 'coinslot-presale')],
      dashboard: [...dashboard, pages('web/dashboard/dist', 'coinslot-dashboard')],
    },
    unlessNamed: [],
  },
  generate: {
    steps: {
      openapi: script('web/scripts/generate.ts openapi'),
      models: script('web/scripts/generate.ts models'),
      problems: script('web/scripts/generate.ts problems'),
      icons: script('web/scripts/icons.ts'),
      gallery: script('dev/demo/gallery.ts'),
      screenshots: script('test/e2e/screenshots.ts'),
    },
    unlessNamed: ['openapi', 'models', 'problems'],
  },
  contracts: {
    steps: {
      check: [step('contracts/script/build-abi.ts --check')],
      test: [
        step('contracts/script/forge.ts fmt --check'),
        step('contracts/script/run-tests.ts', { takesFlags: true }),
        step(`contracts/script/forge.ts snapshot ${GAS} --check --tolerance 2`),
      ],
      long: [
        step(`contracts/script/run-tests.ts --fuzz-seed ${Math.floor(Date.now() / 1_000)}`, {
          env: { FOUNDRY_PROFILE: 'long' },
          takesFlags: true,
        }),
      ],
      coverage: script('contracts/script/coverage.ts'),
      mutants: script('contracts/script/mutants.ts'),
      batch: script('ops/batch/main.ts'),
      record: script('contracts/script/record.ts'),
      verify: script('contracts/script/verify.ts'),
      snapshot: [step(`contracts/script/forge.ts snapshot ${GAS}`)],
    },
    unlessNamed: [],
  },
}

/**
 * The steps of `words`: a command, the names after it, then flags and values for them. Only the first name may have values without a
 * flag. Throws an `Error` that says which names there are.
 */
export function stepsOf([name = '', ...words]: readonly string[]): readonly Step[] {
  const command = COMMANDS[name]
  if (command === undefined)
    throw new Error(`There is no command "${name}". Known: ${Object.keys(COMMANDS).join(', ')}`)
  const first = words.findIndex((word) => !Object.hasOwn(command.steps, word))
  const named = first === -1 ? words : words.slice(0, first)
  const flags = first === -1 ? [] : words.slice(first)
  const chosen = named.length > 0 ? named : command.unlessNamed
  const isUnknown = named.length === 0 && flags[0]?.startsWith('-') === false
  if (chosen.length === 0 || isUnknown) {
    throw new Error(`npm run ${name} -- NAME …: one of ${Object.keys(command.steps).join(', ')}`)
  }
  const steps = chosen.flatMap((one) => command.steps[one] ?? [])
  if (flags.length > 0 && !steps.some(({ takesFlags }) => takesFlags)) {
    throw new Error(`npm run ${name} -- ${chosen.join(' ')} takes no ${flags.join(' ')}`)
  }
  return steps.map((one) => (one.takesFlags ? { ...one, words: [...one.words, ...flags] } : one))
}
