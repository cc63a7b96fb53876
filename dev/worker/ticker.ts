// Replaces the cron trigger. It runs in workerd behind a Unix socket that only this machine's user can open.

interface Scheduled {
  scheduled(event: { scheduledTime: Date; cron: string }): Promise<{ outcome: string }>
}

export default {
  async fetch(_request: Request, env: { WORKER: Scheduled }): Promise<Response> {
    const { outcome } = await env.WORKER.scheduled({ scheduledTime: new Date(), cron: '* * * * *' })
    return Response.json({ outcome }, { status: outcome === 'ok' ? 200 : 500 })
  },
}
