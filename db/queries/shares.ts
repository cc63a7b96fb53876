import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { at } from '../statement.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'

/** The parts of an inference that its owner shows. */
export interface Share {
  id: string
  showsPrompt: boolean
}

const rowSchema = once(() => z.object({ id: z.string(), shows_prompt: z.boolean() }))

const readShare = (row: Record<string, unknown> | undefined): Share | null => {
  if (row === undefined) return null
  const { id, shows_prompt: showsPrompt } = rowSchema().parse(row)
  return { id, showsPrompt }
}

export interface NewShare extends Share {
  inferenceId: string
  now: Date
}

/** Shares an inference. One that is shared keeps its id, and shows what is asked for now. */
export async function saveShare(database: Database, share: NewShare): Promise<Share> {
  const [row] = await database.run(sql`insert into shares (id, inference_id, shows_prompt, created_at)
    values (${share.id}, ${share.inferenceId}, ${share.showsPrompt}, ${at(share.now)})
    on conflict (inference_id) do update set shows_prompt = excluded.shows_prompt returning id::text, shows_prompt`)
  const saved = readShare(row)
  if (saved === null) throw new Error('the database returned no share')
  return saved
}

/** The share of an inference, or null. */
export async function shareOf(database: Database, inferenceId: string): Promise<Share | null> {
  const [row] = await database.run(
    sql`select id::text, shows_prompt from shares where inference_id = ${inferenceId}::uuid`,
    { readOnly: true },
  )
  return readShare(row)
}

/** Takes a share back. Does nothing where nothing is shared. */
export async function deleteShare(database: Database, inferenceId: string): Promise<void> {
  await database.run(sql`delete from shares where inference_id = ${inferenceId}::uuid`)
}

/** A shared inference by the id of its share, or null. */
export async function findShared(
  database: Database,
  id: string,
): Promise<{ share: Share; record: InferenceRecord } | null> {
  const [row] = await database.run(
    sql`select s.id::text, s.shows_prompt, ${inferenceColumns('i')} from shares s
      join inferences i on i.id = s.inference_id where s.id = ${id}::uuid`,
    { readOnly: true },
  )
  const [share, record] = [readShare(row), row === undefined ? null : readInference(row)]
  return share === null || record === null ? null : { share, record }
}
