/** The least there is: reads the body and answers 402. What it costs is the runtime's own share of every call. */
export default {
  async fetch(request: Request): Promise<Response> {
    await request.text()
    return Response.json({}, { status: 402 })
  },
}
