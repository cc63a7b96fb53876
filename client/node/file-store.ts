import type { SQLOutputValue } from 'node:sqlite'
import type { PaymentStore, PendingPayment, Wanted } from '../src/store.ts'
import type { State } from './state.ts'

/** A lock expires after this time, longer than a run: its process id may by then belong to another program. */
const LOCK_MS = 20 * 60_000

/** Keeps signed payments in the state. The lock of a killed process does not count. */
export function fileStore(state: State, now: () => number = Date.now): PaymentStore {
  const { database } = state
  const lock = database.prepare('update payments set holder_pid = ?, held_until = ? where id = ?')
  const save = database.prepare(
    `insert into payments (id, origin, payer, body, header, network, asset, amount, valid_before, inference_id,
       holder_pid, held_until)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set inference_id = excluded.inference_id, holder_pid = excluded.holder_pid,
       held_until = excluded.held_until`,
  )

  function free({ origin, payer, body, id }: Wanted): PendingPayment[] {
    return database
      .prepare(
        `select * from payments where origin = ? and payer = ? and (? is null or body = ?) and (? is null or id = ?)
         order by rowid`,
      )
      .all(origin, payer, body ?? null, body ?? null, id ?? null, id ?? null)
      .filter((row) => !isLocked(row, now()))
      .map(paymentOf)
  }

  return {
    save: async (p) => {
      const inferenceId = p.inferenceId ?? null
      save.run(
        p.id,
        p.origin,
        p.payer,
        p.body,
        p.header,
        p.network,
        p.asset,
        p.amount,
        p.validBefore,
        inferenceId,
        process.pid,
        now() + LOCK_MS,
      )
    },
    take: async (wanted) =>
      state.exclusive(() => {
        const payment = free(wanted)[0] ?? null
        if (payment !== null) lock.run(process.pid, now() + LOCK_MS, payment.id)
        return payment
      }),
    release: async (id) => void lock.run(null, null, id),
    remove: async (id) => void database.prepare('delete from payments where id = ?').run(id),
    list: async (wanted) => free(wanted),
  }
}

type Row = Record<string, SQLOutputValue>

function isLocked({ holder_pid, held_until }: Row, now: number): boolean {
  return typeof holder_pid === 'number' && typeof held_until === 'number' && held_until > now && isAlive(holder_pid)
}

function paymentOf(row: Row): PendingPayment {
  const text = (name: string): string => String(row[name])
  return {
    id: text('id'),
    origin: text('origin'),
    payer: text('payer'),
    body: text('body'),
    header: text('header'),
    network: text('network'),
    asset: text('asset'),
    amount: text('amount'),
    validBefore: Number(row['valid_before']),
    inferenceId: row['inference_id'] === null ? undefined : text('inference_id'),
  }
}

/** True if a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
