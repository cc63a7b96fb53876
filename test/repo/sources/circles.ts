import { dirname } from 'node:path'
import type { Module } from './modules.ts'

type Graph = Map<string, Map<string, string>>

/** How the folders of a graph are cut. */
interface Cut {
  /** The place that a file counts for. Left out: its folder; a file beside subfolders, and a `main.ts`, counts alone. */
  placeOf?: (path: string) => string
  /** True if imports of types count too. They are gone when the code runs. */
  withTypes?: boolean
}

/** Groups of places that import each other in a circle, as `place → place (file -> file)` each. */
export function findCircles(modules: readonly Module[], cut: Cut = {}): string[][] {
  const graph = graphOf(modules, cut)
  return components(graph)
    .filter((places) => places.size > 1)
    .map((places) =>
      [...places].flatMap((from) =>
        [...(graph.get(from) ?? [])].filter(([to]) => places.has(to)).map(([to, why]) => `${from} → ${to} (${why})`),
      ),
    )
}

function graphOf(modules: readonly Module[], { placeOf = folderOf(modules), withTypes = false }: Cut): Graph {
  const paths = new Set(modules.map(({ path }) => path))
  const graph: Graph = new Map()
  for (const { path, imports } of modules) {
    const from = placeOf(path)
    const targets = graph.get(from) ?? new Map<string, string>()
    graph.set(from, targets)
    for (const { target, isType } of imports) {
      if ((isType && !withTypes) || !paths.has(target) || placeOf(target) === from) continue
      targets.set(placeOf(target), `${path} -> ${target}`)
    }
  }
  return graph
}

function folderOf(modules: readonly Module[]): (path: string) => string {
  const folders = [...new Set(modules.map(({ path }) => dirname(path)))]
  return (path) =>
    path.endsWith('/main.ts') || folders.some((folder) => folder.startsWith(`${dirname(path)}/`)) ? path : dirname(path)
}

/** Strongly connected components, by Tarjan's algorithm. */
function components(graph: Graph): Set<string>[] {
  const found: Set<string>[] = []
  const index = new Map<string, number>()
  const stack: string[] = []
  const visit = (place: string): number => {
    index.set(place, index.size)
    let lowest = index.size - 1
    stack.push(place)
    for (const next of graph.get(place)?.keys() ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? lowest)
    }
    if (lowest === index.get(place)) found.push(new Set(stack.splice(stack.indexOf(place))))
    return lowest
  }
  for (const place of graph.keys()) if (!index.has(place)) visit(place)
  return found
}
