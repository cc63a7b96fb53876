interface Env {
  /** An answer as JSON: its headers and its body. */
  ANSWER: string
}

let answer: { headers: Record<string, string>; body: string } | undefined

/** The least there is: reads the body and returns the same 402 each time. Its cost is the runtime's own share of every call. */
export default {
  async fetch(request: Request, { ANSWER }: Env): Promise<Response> {
    await request.text()
    answer ??= JSON.parse(ANSWER)
    return new Response(answer?.body, { status: 402, headers: answer?.headers ?? {} })
  },
}
