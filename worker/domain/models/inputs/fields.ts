import * as z from 'zod'

/** Characters that take no ink: controls, format characters, spaces, fillers, the blank braille cell. */
const SOMETHING_VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

type Label = { title: string; description: string }

/** Counts characters, as JSON Schema does: an emoji of two UTF-16 units is one. */
const isAtMost = (text: string, characters: number): boolean =>
  text.length <= characters || (text.length <= 2 * characters && Array.from(text).length <= characters)

/** PostgreSQL keeps no NUL in text or jsonb, and a lone surrogate has no UTF-8 form: both must be refused before payment. */
function storableText(maxLength: number) {
  return z
    .string()
    .trim()
    .refine((text) => isAtMost(text, maxLength), {
      message: `Too big: expected string to have <=${maxLength} characters`,
    })
    .refine((text) => !text.includes('\0'), { message: 'must not contain a NUL character' })
    .refine((text) => text.isWellFormed(), { message: 'must be well-formed Unicode (it has a lone surrogate)' })
}

/** The person's own words: 1 to `maxLength` characters after trimming, with at least one visible character. */
export function promptSchema(label: Partial<Label> & { maxLength?: number } = {}) {
  return storableText(label.maxLength ?? 10_000)
    .min(1)
    .refine((text) => SOMETHING_VISIBLE.test(text), { message: 'must contain at least one visible character' })
    .meta({
      title: label.title ?? 'Prompt',
      description: label.description ?? 'What you want, in your own words.',
      maxLength: label.maxLength ?? 10_000,
    })
}

/** A further text that may be left out or empty. */
export function optionalText(label: Label & { maxLength: number }) {
  const { title, description, maxLength } = label
  return storableText(maxLength).meta({ title, description, maxLength }).optional()
}

/** A whole number from `min` to `max`. */
export function integer(label: Label & { min: number; max: number; default: number }) {
  return z.int().min(label.min).max(label.max).default(label.default).meta(titles(label))
}

/** A number from `min` to `max`; without a default the provider's own applies. */
export function decimal(label: Label & { min: number; max: number; default: number }) {
  return z.number().min(label.min).max(label.max).default(label.default).meta(titles(label))
}

export function toggle(label: Label & { default: boolean }) {
  return z.boolean().default(label.default).meta(titles(label))
}

/** One of a closed list; the first is the default. */
export function choice<const Values extends readonly [string, ...string[]]>(label: Label & { values: Values }) {
  const fallback: Values[number] = label.values[0]
  return z.enum(label.values).default(fallback).meta(titles(label))
}

/** Largest seed that every model takes, whether it reads 32 bits signed or unsigned. */
export function seed() {
  return z
    .int()
    .min(0)
    .max(2_147_483_647)
    .meta({ title: 'Seed', description: 'The same seed and input give the same or a very similar result.' })
    .optional()
}

function titles(label: Label): Label {
  return { title: label.title, description: label.description }
}
