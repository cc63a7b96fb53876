import { type Finding, fail, skip, warn } from './finding.ts'

/** The `queues` of an environment in `wrangler.toml`. */
export interface Queues {
  producers?: readonly { binding: string; queue?: string | undefined }[] | undefined
  consumers?: readonly { queue: string }[] | undefined
}

/** Checks that a deployment's worker is woken when a purchase is due: it sends to a queue that it also reads. */
export function checkQueue({ producers = [], consumers = [] }: Queues, deployment: string): Finding {
  const check = 'wake-ups'
  const queue = producers.find(({ binding }) => binding === 'WAKE_UPS')?.queue
  if (queue === undefined) {
    return warn(
      check,
      'no queue is bound as WAKE_UPS: what its buyer left is driven by the job of the next minute only',
      `Bind one in [[env.${deployment}.queues.producers]] of wrangler.toml (docs/deploy.md, "The queue").`,
    )
  }
  if (!consumers.some((consumer) => consumer.queue === queue)) {
    return fail(
      check,
      `messages go to ${queue}, and the worker does not read it`,
      `Name ${queue} in [[env.${deployment}.queues.consumers]] of wrangler.toml.`,
    )
  }
  return skip(
    check,
    `queue ${queue} by wrangler.toml; whether it exists was not asked. Before the first deployment: npx wrangler queues create ${queue}`,
  )
}
