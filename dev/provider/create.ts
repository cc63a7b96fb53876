import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { resolveVersion, type ServedModel, servedModels } from '../engines/models.ts'
import { invalid, notFound, parseJson, Refusal } from './http.ts'
import { type PredictionRecord, WEBHOOK_EVENTS, type WebhookEvent } from './types.ts'

const BODY_FIELDS = new Set(['version', 'input', 'webhook', 'webhook_events_filter', 'stream'])
const PROMPT_LIMIT = 20_000
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** A new run from the body and headers of a create call. `named` is the model in the path, if any. */
export function readCreate(
  text: string,
  headers: IncomingHttpHeaders,
  named: string | undefined,
  now: number,
): { record: PredictionRecord; model: ServedModel } {
  const body = parseJson(text)
  if (!isRecord(body)) throw new Refusal(400, 'Bad request', 'The body must be a JSON object.')
  for (const field of Object.keys(body)) {
    if (!BODY_FIELDS.has(field)) throw invalid(field, 'Additional property is not allowed')
  }
  const { id, model } = named === undefined ? byVersion(body['version']) : byName(named, body['version'])
  const record: PredictionRecord = {
    id: newId(),
    model: id,
    version: model.version ?? 'hidden',
    status: 'starting',
    input: readInput(body['input'], model),
    output: null,
    error: null,
    logs: '',
    createdAt: now,
    startedAt: null,
    completedAt: null,
    deadline: readDeadline(headers['cancel-after'], now),
    predictTime: null,
    tokens: null,
    webhook: readWebhook(body['webhook']),
    eventsFilter: readFilter(body['webhook_events_filter']),
    dataRemoved: false,
    streams: model.output === 'pieces',
    files: [],
  }
  return { record, model }
}

function byVersion(version: unknown): { id: string; model: ServedModel } {
  if (typeof version !== 'string') throw invalid('version', 'version is required')
  const found = resolveVersion(version)
  if (!found) {
    const detail = 'The specified version does not exist (or perhaps you do not have permission to use it?)'
    throw new Refusal(422, 'Invalid version or not permitted', detail)
  }
  return found
}

function byName(id: string, version: unknown): { id: string; model: ServedModel } {
  if (version !== undefined) throw invalid('version', 'Additional property is not allowed')
  const model = servedModels.get(id)
  if (!model || model.version !== undefined) throw notFound()
  return { id, model }
}

/** As strict as the provider: extra inputs pass, a missing or invalid prompt or size does not. */
function readInput(input: unknown, model: ServedModel): Record<string, unknown> {
  if (!isRecord(input)) throw invalid('input', 'input is required')
  const prompt = input[model.promptField]
  const field = `input.${model.promptField}`
  if (typeof prompt !== 'string' || prompt.trim() === '') throw invalid(field, 'Field required')
  if (prompt.length > PROMPT_LIMIT) throw invalid(field, `must have at most ${PROMPT_LIMIT} characters`)
  for (const side of ['width', 'height']) {
    const value = input[side]
    if (value !== undefined && !(typeof value === 'number' && value >= 64 && value <= 2_048)) {
      throw invalid(`input.${side}`, 'must be from 64 to 2048')
    }
  }
  return input
}

function readWebhook(webhook: unknown): string | null {
  if (webhook === undefined) return null
  const url = typeof webhook === 'string' ? URL.parse(webhook) : null
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (typeof webhook !== 'string' || !allowed) throw invalid('webhook', 'must be an HTTPS URL')
  return webhook
}

function readFilter(filter: unknown): readonly WebhookEvent[] {
  if (filter === undefined) return WEBHOOK_EVENTS
  if (!Array.isArray(filter)) throw invalid('webhook_events_filter', 'must be a list')
  return filter.map((name) => {
    const event = WEBHOOK_EVENTS.find((known) => known === name)
    if (event === undefined) throw invalid('webhook_events_filter', `must be of ${WEBHOOK_EVENTS.join(', ')}`)
    return event
  })
}

function readDeadline(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null
  const parts = /^(\d{1,5})([smh])$/.exec(header)
  if (!parts) throw invalid('Cancel-After', 'must be a time such as 30s, 5m or 1h')
  return now + Number(parts[1]) * (UNITS[parts[2] ?? 's'] ?? 1_000)
}

/** 26 letters and digits, as in the provider's ids. */
function newId(): string {
  return Array.from(randomBytes(26), (byte) => 'abcdefghijklmnopqrstuvwxyz0123456789'[byte % 36]).join('')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
