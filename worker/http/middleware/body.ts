import { zValidator } from '@hono/zod-validator'
import type { Context, Env } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as z from 'zod'
import { once } from '../../../db/once.ts'
import { AppError, fieldErrors } from '../../errors.ts'
import type { AppEnv } from '../context.ts'

const BODY_BYTES = 64 * 1024
const WEBHOOK_BYTES = 1024 * 1024
const MAX_DEPTH = 32

const tooLarge = (maxBytes: number): AppError =>
  new AppError('payload_too_large', { detail: `A body may hold at most ${maxBytes / 1024} KiB.` })

/** Reads a body of unknown size, up to its limit. */
const readUpTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw tooLarge(maxSize)
    },
  })
const readBody = readUpTo(BODY_BYTES)
const readWebhook = readUpTo(WEBHOOK_BYTES)
const goOn = async (): Promise<void> => undefined

/** The result of `reading` a body. It fails only when the caller's connection ends early: `invalid_request`. */
export async function whole<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid_request', { detail: 'The body ended early. Send it whole.' }, { cause })
  }
}

/** Refuses compressed bodies (their size is not what it seems) and large ones, before any route reads them. */
export async function guardBody(c: Context<AppEnv>): Promise<void> {
  if ((c.req.header('Content-Encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', { detail: 'Send the body uncompressed.' })
  }
  const isWebhook = c.req.path.startsWith('/api/webhooks/')
  const length = c.req.header('Content-Length')
  // A body of a known size is not touched here: once it was looked at as a stream, reading it whole takes longer.
  if (length === undefined || c.req.header('Transfer-Encoding') !== undefined) {
    await whole((isWebhook ? readWebhook : readBody)(c, goOn))
  } else {
    const maxBytes = isWebhook ? WEBHOOK_BYTES : BODY_BYTES
    if (Number.parseInt(length, 10) > maxBytes) throw tooLarge(maxBytes)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** True if a `Content-Type` is JSON in UTF-8: no parameter but that charset. */
function isJsonType(type: string): boolean {
  const [media = '', ...parameters] = type.toLowerCase().split(';')
  const given = parameters.map((parameter) => parameter.trim())
  const isUtf8 = (parameter: string): boolean => {
    const [name = '', ...value] = parameter.split('=')
    return name.trim() === 'charset' && ['utf-8', '"utf-8"'].includes(value.join('=').trim())
  }
  return media.trim() === 'application/json' && given.filter((parameter) => parameter !== '').every(isUtf8)
}

/** True if a value nests deeper than `MAX_DEPTH`: code that walks deeper ones could exhaust the stack. */
function isTooDeep(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true
  return typeof value === 'object' && value !== null && Object.values(value).some((it) => isTooDeep(it, depth + 1))
}

/**
 * The request's body as parsed JSON, exactly as it was sent. Throws `unsupported_media_type` for anything but JSON in UTF-8,
 * `invalid_json` for what does not parse (invalid UTF-8 and byte order marks too). May be called more than once.
 */
export async function readJson<E extends Env>(c: Context<E>): Promise<unknown> {
  if (!isJsonType(c.req.header('Content-Type') ?? '')) {
    throw new AppError('unsupported_media_type', { detail: 'Send `Content-Type: application/json` in UTF-8.' })
  }
  const bytes = await whole(c.req.arrayBuffer())
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw new AppError('invalid_json', {
      detail: 'The body must be one JSON value in UTF-8 without a byte order mark.',
    })
  }
  if (isTooDeep(value)) throw new AppError('invalid_request', { detail: `JSON may nest ${MAX_DEPTH} levels deep.` })
  return value
}

/** `invalid_request` with the faults that zod found. */
export const invalidRequest = (error: z.core.$ZodError): AppError => {
  const errors = fieldErrors(error)
  const first = errors[0]
  const detail = first === undefined ? undefined : `${first.path === '' ? 'The request' : first.path}: ${first.message}`
  return new AppError('invalid_request', { ...(detail !== undefined && { detail }), errors })
}

/** Middleware: the body must be JSON and fit the schema; the handler reads it with `c.req.valid('json')`. */
export const jsonBody = <Schema extends z.ZodType>(schema: () => Schema) => {
  const validator = once(() =>
    zValidator('json', schema(), (result) => {
      if (!result.success) throw invalidRequest(result.error)
    }),
  )
  const guarded: ReturnType<typeof validator> = async (c, next) => {
    await readJson(c)
    return validator()(c, next)
  }
  return guarded
}

/** Middleware: the query must fit the schema; the handler reads it with `c.req.valid('query')`. */
export const query = <Schema extends z.ZodType>(schema: () => Schema) => {
  const validator = once(() =>
    zValidator('query', schema(), (result) => {
      if (!result.success) throw invalidRequest(result.error)
    }),
  )
  const validate: ReturnType<typeof validator> = (c, next) => validator()(c, next)
  return validate
}

/**
 * The body of a call that buys, as `readJson` returns it. Undefined for an empty probe: a caller that is neither signed in nor pays, and
 * sends no body or `{}`, asks what a call looks like and costs.
 */
export async function readJsonOrProbe(c: Context<AppEnv>): Promise<unknown> {
  const isProbe = c.get('session') === null && c.req.header('Payment-Signature') === undefined
  if (isProbe && (await whole(c.req.arrayBuffer())).byteLength === 0) return undefined
  const body = await readJson(c)
  const isEmpty = typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
  return isProbe && isEmpty ? undefined : body
}
