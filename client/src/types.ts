import type { hc, InferResponseType } from 'hono/client'
import type { AppType } from '../../worker/app.ts'

/** The service's own routes, typed. */
export type Api = ReturnType<typeof hc<AppType>>['api']

/** A record as `GET /api/inference/:id` shows it. */
export type Inference = InferResponseType<Api['inference'][':id']['$get'], 200>
export type Metrics = Inference['metrics']
export type Output = NonNullable<Inference['output']>

/** The outcome of a paid call; money as decimal strings. */
export interface Result {
  id: string
  status: 'succeeded'
  output: Output
  metrics: Metrics
}

export type Model = InferResponseType<Api['models']['$get'], 200>['models'][number]
export type Estimate = InferResponseType<Api['inference']['estimate']['$post'], 200>
export type HistoryPage = InferResponseType<Api['inferences']['$get'], 200>
export type ServiceAccount = InferResponseType<Api['account']['$get'], 200>
export type Health = InferResponseType<Api['health']['$get'], 200 | 503>
export type Task = Model['task']

/** A request for an inference. */
export interface InferenceRequest {
  task: Task
  model: string
  input: Record<string, unknown>
}

/** A request for an estimate. The input is optional. */
export type EstimateRequest = Omit<InferenceRequest, 'input'> & { input?: Record<string, unknown> }
