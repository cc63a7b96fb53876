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

/** As it is stored, with the prefix of its files. */
export interface StoredShare extends Share {
  inferenceId: string
  objectKey: string
}

const rowSchema = once(() =>
  z.object({ id: z.string(), inference_id: z.string(), shows_prompt: z.boolean(), object_key: z.string() }),
)
const COLUMNS = sql`id::text, inference_id::text, shows_prompt, object_key`

const readShare = (row: Record<string, unknown> | undefined): StoredShare | null => {
  if (row === undefined) return null
  const { id, inference_id: inferenceId, shows_prompt: showsPrompt, object_key: objectKey } = rowSchema().parse(row)
  return { id, inferenceId, showsPrompt, objectKey }
}

/** Shares an inference. One that is shared keeps its id and files, and shows what is asked for now. */
export async function saveShare(database: Database, share: StoredShare & { now: Date }): Promise<StoredShare> {
  const [row] = await database.run(sql`insert into shares (id, inference_id, shows_prompt, object_key, created_at)
    values (${share.id}, ${share.inferenceId}, ${share.showsPrompt}, ${share.objectKey}, ${at(share.now)})
    on conflict (inference_id) do update set shows_prompt = excluded.shows_prompt returning ${COLUMNS}`)
  const saved = readShare(row)
  if (saved === null) throw new Error('the database returned no share')
  return saved
}

/** Changes what a share shows. Null where the inference is not shared. */
export async function changeShare(
  database: Database,
  inferenceId: string,
  showsPrompt: boolean,
): Promise<StoredShare | null> {
  const [row] = await database.run(
    sql`update shares set shows_prompt = ${showsPrompt} where inference_id = ${inferenceId}::uuid returning ${COLUMNS}`,
  )
  return readShare(row)
}

/** The share of an inference, or null. */
export async function shareOf(database: Database, inferenceId: string): Promise<StoredShare | null> {
  const [row] = await database.run(sql`select ${COLUMNS} from shares where inference_id = ${inferenceId}::uuid`, {
    readOnly: true,
  })
  return readShare(row)
}

/** Removes a share, by its id. Does nothing where there is none. */
export async function deleteShare(database: Database, id: string): Promise<void> {
  await database.run(sql`delete from shares where id = ${id}::uuid`)
}

/** A shared inference by the id of its share, or null. */
export async function findShared(
  database: Database,
  id: string,
): Promise<{ share: StoredShare; record: InferenceRecord } | null> {
  const [row] = await database.run(
    sql`select s.id::text, s.inference_id::text, s.shows_prompt, s.object_key, ${inferenceColumns('i')} from shares s
      join inferences i on i.id = s.inference_id where s.id = ${id}::uuid`,
    { readOnly: true },
  )
  const [share, record] = [readShare(row), row === undefined ? null : readInference(row)]
  return share === null || record === null ? null : { share, record }
}
