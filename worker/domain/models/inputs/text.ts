import * as z from 'zod'
import { decimal, integer, optionalText, promptSchema } from './fields.ts'

/** As many characters as fit into a context of 8,192 tokens beside the longest answer. Most texts take 4 per token, few less than 3. */
const LLAMA_CHARACTERS = 18_000

/** A context of 128,000 tokens and more holds any body: its 64 KiB are the bound. */
const LONG_CHARACTERS = 65_536

const longPrompt = () => promptSchema({ maxLength: LONG_CHARACTERS })

const systemPrompt = () =>
  optionalText({ title: 'System prompt', description: 'How the assistant should behave.', maxLength: LONG_CHARACTERS })

const tokens = (range: { min: number; max: number; default: number }) =>
  integer({ title: 'Max length', description: 'In tokens, about three quarters of a word each.', ...range })

const topP = (fallback: number) =>
  decimal({
    title: 'Top p',
    description: 'Share of the likeliest words to draw from.',
    min: 0,
    max: 1,
    default: fallback,
  })

const temperature = (fallback: number) =>
  decimal({ title: 'Temperature', description: 'Higher is more varied.', min: 0, max: 2, default: fallback })

const penalty = (title: string, description: string) => decimal({ title, description, min: -2, max: 2, default: 0 })

const penalties = () => ({
  frequency_penalty: penalty('Frequency penalty', 'Above zero: repeats itself less.'),
  presence_penalty: penalty('Presence penalty', 'Above zero: moves to new topics sooner.'),
})

/** 2048 tokens are four times the usual answer. */
export const llamaInput = () =>
  z.strictObject({
    prompt: promptSchema({ maxLength: LLAMA_CHARACTERS }),
    max_tokens: tokens({ min: 1, max: 2_048, default: 512 }),
    temperature: temperature(0.6),
    top_p: topP(0.9),
    ...penalties(),
  })

export const gptInput = () =>
  z.strictObject({
    prompt: longPrompt(),
    system_prompt: systemPrompt(),
    max_completion_tokens: tokens({ min: 16, max: 2_048, default: 512 }),
    temperature: temperature(1),
    top_p: topP(1),
    ...penalties(),
  })

export const claudeHaikuInput = () =>
  z.strictObject({
    prompt: longPrompt(),
    system_prompt: systemPrompt(),
    max_tokens: tokens({ min: 1, max: 4_096, default: 1_024 }),
  })

/** The model itself refuses fewer than 1024 tokens. */
export const claudeSonnetInput = () =>
  z.strictObject({
    prompt: longPrompt(),
    system_prompt: systemPrompt(),
    max_tokens: tokens({ min: 1_024, max: 4_096, default: 1_024 }),
  })
