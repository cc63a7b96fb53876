import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../../..')

export interface TextFile {
  /** From the root of the repository. */
  path: string
  text: string
}

const GENERATED = /(^|\/)(generated|migrations|abi)\/|^docs\/openapi\.json$|^package-lock\.json$/

/** Every hand-written text file that git tracks or would track, read from the working tree. */
export function handWritten(extension: RegExp, folders: readonly string[] = []): TextFile[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders]
  const paths = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  return [...new Set(paths)]
    .filter((path) => extension.test(path) && !GENERATED.test(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

export const isTest = ({ path }: { path: string }): boolean => /\.(test|spec)\.tsx?$/.test(path)

/** Number of the line that holds the character at `offset`, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
