import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { bundleWithMetafile } from './workerd/bundle.ts'

const metaSchema = z.object({
  outputs: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) })),
})

/** `npm run bench -- bytes`: prints what each package and each folder of this repository weighs in the minified worker. */
export async function printBytes(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'coinslot-bytes-'))
  try {
    const meta = metaSchema.parse(JSON.parse(await readFile(await bundleWithMetafile(dir), 'utf8')))
    const output = Object.entries(meta.outputs).find(([name]) => name.endsWith('index.js'))
    if (output === undefined) throw new Error('the bundle has no index.js')
    const code = await readFile(join(dir, 'index.js'))
    print(weigh(output[1].inputs), code.length, gzipSync(code).length)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function weigh(inputs: Record<string, { bytesInOutput: number }>): [owner: string, bytes: number][] {
  const sums = new Map<string, number>()
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const owner = ownerOf(file)
    sums.set(owner, (sums.get(owner) ?? 0) + bytesInOutput)
  }
  return [...sums].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a)
}

/** Who a source file belongs to: a package by its name, a file of this repository by its first two folders. */
function ownerOf(file: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]
  return inPackage ?? file.split('/').slice(0, 2).join('/')
}

function print(weights: [string, number][], bytes: number, gzip: number): void {
  const kib = (value: number): string => `${(value / 1024).toFixed(1).padStart(7)} KiB`
  for (const [owner, weight] of weights) console.log(`${kib(weight)}  ${owner}`)
  console.log(`${kib(bytes)}  in all, minified`)
  console.log(`${kib(gzip)}  in all, gzip`)
}
