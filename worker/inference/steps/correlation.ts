import type { Payment } from '../../../db/queries/payment-row.ts'
import type { Config } from '../../config/config.ts'

const parameter = 'inference'

/** The webhook URL of a purchase's run. It carries the correlation id, and is sent even where no webhook is taken. */
export function webhookUrl(config: Config, payment: Pick<Payment, 'inferenceId'>): string {
  return `${config.publicOrigins[0]}/api/webhooks/model-provider?${parameter}=${payment.inferenceId}`
}

/** The inference's id in a webhook URL of ours; null when there is none. */
export function correlationId(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  return new URL(url).searchParams.get(parameter)
}

/** Whether a run's webhook URL names this purchase. */
export const correlates = (url: string | null, payment: Pick<Payment, 'inferenceId'>): boolean =>
  correlationId(url) === payment.inferenceId
