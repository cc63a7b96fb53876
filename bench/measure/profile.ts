import * as z from 'zod'
import { connectInspector } from './inspector.ts'

const SAMPLE_EVERY_US = 250

const profileSchema = z.object({
  profile: z.object({
    nodes: z.array(
      z.object({
        id: z.number(),
        callFrame: z.object({ functionName: z.string(), lineNumber: z.number() }),
        children: z.array(z.number()).default([]),
      }),
    ),
    samples: z.array(z.number()),
    timeDeltas: z.array(z.number()),
  }),
})
type Profile = z.infer<typeof profileSchema>['profile']

/** The owners of the time in JavaScript, what it calls and its garbage collector, the greatest share (0 to 1) first. */
export type Shares = [owner: string, share: number][]

/** Runs `work` under V8's profiler. `code` is the bundle as it is served, not minified: its comments say which line is whose. */
export async function profiled(inspectorPort: number, code: string, work: () => Promise<unknown>): Promise<Shares> {
  const { command, close } = await connectInspector(inspectorPort)
  try {
    await command('Profiler.enable')
    await command('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US })
    await command('Profiler.start')
    await work()
    return sharesOf(profileSchema.parse(await command('Profiler.stop')).profile, ownersByLine(code))
  } finally {
    close()
  }
}

/** esbuild writes `// path` before each module it joins. */
function ownersByLine(code: string): string[] {
  let owner = 'the bundle'
  return code.split('\n').map((line) => {
    const path = /^\/\/ (\S+\.(?:ts|js|mjs|cjs))$/.exec(line)?.[1]
    if (path !== undefined) owner = ownerOf(path)
    return owner
  })
}

function sharesOf({ nodes, samples, timeDeltas }: Profile, owners: readonly string[]): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)))
  const spent = new Map<string, number>()
  let total = 0
  for (const [index, sample] of samples.entries()) {
    const owner = ownerOfSample(sample, byId, parents, owners)
    if (owner === null) continue
    const us = timeDeltas[index] ?? 0
    total += us
    spent.set(owner, (spent.get(owner) ?? 0) + us)
  }
  return [...spent].map(([owner, us]): Shares[number] => [owner, us / total]).sort(([, a], [, b]) => b - a)
}

/** The owner of the innermost frame that is in the bundle: native code counts for its caller. Null outside the bundle. */
function ownerOfSample(
  sample: number,
  byId: ReadonlyMap<number, Profile['nodes'][number]>,
  parents: ReadonlyMap<number, number>,
  owners: readonly string[],
): string | null {
  if (byId.get(sample)?.callFrame.functionName === '(garbage collector)') return 'garbage collector'
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
    const line = byId.get(id)?.callFrame.lineNumber ?? 0
    if (line > 0) return owners[line] ?? 'the bundle'
  }
  return null
}

/** Who a source file belongs to: a package by its name, a file of this repository by its first two folders. */
export function ownerOf(file: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]
  return inPackage ?? file.split('/').slice(0, 2).join('/')
}
