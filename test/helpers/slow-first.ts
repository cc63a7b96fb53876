import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take long, slowest first. Started last, one of them would leave the other workers idle. */
const SLOW = [
  'test/simulation/simulation',
  'test/stack/storm',
  'test/stack/fault-points',
  'test/stack/snippets',
  'test/stack/command-line',
  'test/stack/client',
  'test/stack/postgres',
  'test/stack/settlement',
  'client/cli/keystore',
]

/** Vitest's order of test files, with the slow ones of a project first: in a fresh clone it would go by file size. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).toSorted((a, b) => rankOf(a) - rankOf(b)),
    )
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((path) => moduleId.endsWith(`/${path}.test.ts`))
  return rank === -1 ? SLOW.length : rank
}
