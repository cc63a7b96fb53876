import { dirname, join, normalize } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { handWritten, lineAt, type TextFile } from './files.ts'

export interface Import {
  /** The path of a file of this repository, or the name of a package. */
  target: string
  /** `import type`, and imports of types only: they are gone when the code runs. */
  isType: boolean
}

export interface FunctionSize {
  name: string
  line: number
  lines: number
}

export interface Module extends TextFile {
  lines: number
  imports: Import[]
  /** The functions that run code. Read from the syntax tree at each call, which takes most of the time of a module. */
  functions(): FunctionSize[]
}

/** Every hand-written TypeScript and JavaScript module of the repository, parsed. */
export function readModules(): Module[] {
  return handWritten(/\.(tsx?|[mc]js)$/).map((file) => {
    const parsed = parseSync(file.path, file.text)
    const { module, errors } = parsed
    if (errors.length > 0) throw new Error(`${file.path}: ${errors[0]?.message}`)
    const statements = [
      ...module.staticImports.map(({ moduleRequest, entries }) => ({
        name: moduleRequest.value,
        isType: entries.length > 0 && entries.every((entry) => entry.isType),
      })),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ name: moduleRequest.value, isType }] : [])),
      ),
      ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
        const name = /^['"](.*)['"]$/.exec(file.text.slice(start, end))?.[1]
        return name === undefined ? [] : [{ name, isType: false }]
      }),
    ]
    return {
      ...file,
      lines: file.text.split('\n').length - 1,
      imports: statements.map(({ name, isType }) => ({ target: resolveImport(file.path, name), isType })),
      // `program` is a getter that makes the tree.
      functions: () => functionsOf(parsed.program, file.text),
    }
  })
}

const resolveImport = (from: string, name: string): string =>
  name.startsWith('.') ? normalize(join(dirname(from), name)) : name

/** Every function that runs code. Those that only group tests, as the callback of `describe`, are left out. */
function functionsOf(program: ESTree.Program, text: string): FunctionSize[] {
  const functions: (ESTree.Function | ESTree.ArrowFunctionExpression)[] = []
  const names = new Map<number, string>()
  const tests: number[] = []
  const collect = (node: ESTree.Function | ESTree.ArrowFunctionExpression): void => void functions.push(node)
  new Visitor({
    CallExpression: ({ callee, start }) => {
      if (/^(it|test)\b/.test(text.slice(callee.start, callee.end))) tests.push(start)
    },
    VariableDeclarator: ({ id, init }) => void (init && id.type === 'Identifier' && names.set(init.start, id.name)),
    FunctionDeclaration: collect,
    FunctionExpression: collect,
    ArrowFunctionExpression: collect,
  }).visit(program)
  return functions
    .filter(({ start, end }) => !tests.some((test) => start < test && test < end))
    .map((node) => {
      const name = ('id' in node && node.id?.name) || names.get(node.start) || 'anonymous'
      const line = lineAt(text, node.start)
      return { name, line, lines: lineAt(text, node.end) - line + 1 }
    })
}
