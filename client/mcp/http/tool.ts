import type { CallToolResult } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { argumentFaults, listedTool, type ToolFacts } from '../tool-table.ts'
import type { ApiCalls } from './api.ts'
import type { PublicModels } from './models.ts'
import { errorResult, failureResult } from './results.ts'

/** Of an unexpected error nothing is shown. */
const INTERNAL_ERROR = errorResult('internal_error: The server made an error.')

/** What a call of a tool has beside its arguments. */
export interface Call {
  api: ApiCalls
  models: PublicModels
  /** `params._meta` of the request. */
  meta: Record<string, unknown> | undefined
  /** Called with errors that are not the caller's. */
  onError(error: unknown): void
}

export interface Tool {
  /** Its entry in `tools/list`. */
  listed: ReturnType<typeof listedTool>
  /** Checks the arguments and runs the tool. Never throws: failures are results. */
  run(args: unknown, call: Call): Promise<CallToolResult>
}

export function defineTool<Input extends z.ZodObject>(
  facts: ToolFacts<Input>,
  work: (args: z.infer<Input>, call: Call) => Promise<CallToolResult>,
): Tool {
  return {
    listed: listedTool(facts),
    run: async (args, call) => {
      try {
        const parsed = facts.input.safeParse(args)
        if (parsed.success) return await work(parsed.data, call)
        return errorResult(`The arguments are invalid.\n${argumentFaults(parsed.error)}`)
      } catch (error) {
        const known = failureResult(error)
        if (known !== null) return known
        call.onError(error)
        return INTERNAL_ERROR
      }
    },
  }
}
