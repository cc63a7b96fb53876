import { dirname } from 'node:path'
import type { Module } from './modules.ts'

type Graph = Map<string, Map<string, string>>

/**
 * Groups of folders that import each other in a circle, as `folder → folder (file -> file)` each. Types do not count: they are
 * gone when the code runs. A file beside subfolders, and the `main.ts` that starts a program, counts as a folder.
 */
export function findCircles(modules: readonly Module[]): string[][] {
  const graph = folderGraph(modules)
  return components(graph)
    .filter((places) => places.size > 1)
    .map((places) =>
      [...places].flatMap((from) =>
        [...(graph.get(from) ?? [])].filter(([to]) => places.has(to)).map(([to, why]) => `${from} → ${to} (${why})`),
      ),
    )
}

function folderGraph(modules: readonly Module[]): Graph {
  const paths = new Set(modules.map(({ path }) => path))
  const folders = [...new Set([...paths].map((path) => dirname(path)))]
  const placeOf = (path: string): string =>
    path.endsWith('/main.ts') || folders.some((folder) => folder.startsWith(`${dirname(path)}/`)) ? path : dirname(path)
  const graph: Graph = new Map()
  for (const { path, imports } of modules) {
    const from = placeOf(path)
    const targets = graph.get(from) ?? new Map<string, string>()
    graph.set(from, targets)
    for (const { target, isType } of imports) {
      if (isType || !paths.has(target) || placeOf(target) === from) continue
      targets.set(placeOf(target), `${path} -> ${target}`)
    }
  }
  return graph
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
