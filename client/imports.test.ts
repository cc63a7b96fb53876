import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

interface Import {
  file: string
  /** Path in the repository, or the package. */
  target: string
  typeOnly: boolean
}

function importsOf(folder: string): Import[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name))
  return sources.flatMap((name) => {
    const file = join(folder, name)
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/gm)].map(
      ([, type, target = '']) => ({
        file,
        target: target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target,
        typeOnly: type !== undefined,
      }),
    )
  })
}

const shown = (imports: Import[]): string[] => imports.map(({ file, target }) => `${file} -> ${target}`)

describe('what the client is made of', () => {
  it('behavior: values come from its folder and from protocol only', () => {
    const inside = /^(client|protocol)\//
    const values = importsOf('client').filter(
      ({ target, typeOnly }) => /\.ts$/.test(target) && !inside.test(target) && !typeOnly,
    )
    expect(shown(values)).toEqual([])
  })

  it("behavior: the library runs anywhere: it needs hono's typed client and nothing else", () => {
    const library = importsOf('client/src')
    expect(library.length).toBeGreaterThan(40)
    const allowed = /^(client\/src\/|protocol\/|hono\/client$)/
    expect(shown(library.filter(({ target, typeOnly }) => !typeOnly && !allowed.test(target)))).toEqual([])
  })
})
