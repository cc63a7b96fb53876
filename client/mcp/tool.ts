import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { argumentFaults, listedTool, type ToolFacts } from './tool-table.ts'

/** The arguments of a call are wrong. The message says which and why. */
export class ArgumentsError extends Error {
  override name = 'ArgumentsError'
}

/** A tool of the server. `Call` is what each of its calls has beside the arguments. */
export interface Tool<Call> {
  /** Its entry in `tools/list`. */
  listed: ReturnType<typeof listedTool>
  /** Checks the arguments and runs the tool. Throws `ArgumentsError`, and whatever the tool throws. */
  run(args: Record<string, unknown>, call: Call): Promise<CallToolResult>
}

/** A tool whose arguments are checked before its `work`. */
export function defineTool<Input extends z.ZodObject, Call>(
  facts: ToolFacts<Input>,
  work: (args: z.infer<Input>, call: Call) => Promise<CallToolResult>,
): Tool<Call> {
  return {
    listed: listedTool(facts),
    run: async (args, call) => {
      const parsed = facts.input.safeParse(withoutEmpty(args, facts.input))
      if (parsed.success) return work(parsed.data, call)
      throw new ArgumentsError(`The arguments are invalid.\n${argumentFaults(parsed.error)}`)
    },
  }
}

/** The arguments that were given: many hosts send `null` or an empty text for an optional one that the model left out. */
function withoutEmpty(args: Record<string, unknown>, { shape }: z.ZodObject): Record<string, unknown> {
  const isOptional = (name: string): boolean => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
    return schema !== undefined && z.safeParse(schema, undefined).success
  }
  const given = Object.entries(args).filter(([name, value]) => (value !== null && value !== '') || !isOptional(name))
  return Object.fromEntries(given)
}
