import * as z from 'zod'
import { TASKS, taskFlag } from '../cli/request.ts'
import { parseAmount, USDC_DECIMALS } from '../src/money.ts'

export const usdc = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, 'a decimal string of USDC, e.g. "0.05"')

/** The argument of every tool that names a price. */
export const maxUsdc = usdc
  .optional()
  .describe('The most that this call may cost, in USDC, e.g. "0.05". It cannot raise the limit of the server.')

export const model = z
  .string()
  .optional()
  .describe('Id of the model, from list_models; default: the first that is open to the wallet.')

/** By its whole or its short name, as on the command line. */
export const task = z
  .enum([...Object.values(TASKS), ...Object.keys(TASKS)])
  .transform(taskFlag)
  .describe('text-to-image, text-to-text or text-to-sound; image, text or sound for short.')

/** Atomic units. */
export const atomic = (amount: string): bigint => parseAmount(amount, USDC_DECIMALS)

/** The lower of what the model wishes and what the server allows. */
export const lower = (wished: string | undefined, cap: string): string =>
  wished !== undefined && atomic(wished) < atomic(cap) ? wished : cap
