/** The texts of the docs and of the error pages. They are English in every language. */
export const docsMessages = {
  title: 'API',
  intro:
    'Everything this site does is plain HTTP. You get a price with status 402, send a signed USDC authorization, and get the result.',
  flowTitle: 'How a purchase works',
  flow: [
    'Call POST /api/inference without payment. The answer is 402. Its Payment-Required header contains the price, valid for ten minutes, and a sign-in challenge.',
    'Sign the challenge (EIP-4361). It goes into the header SIGN-IN-WITH-X, with each request. This site uses a session cookie instead.',
    'Sign TransferWithAuthorization (EIP-3009) for that price and call again with Payment-Signature.',
    'The payment settles on chain, the model runs, the answer is 200. If the answer is lost, send the same header again: it is never charged twice.',
  ],
  curlTitle: 'Read models and prices with curl',
  fetchTitle: 'Buy with @x402/fetch',
  callsTitle: 'All endpoints',
  callsIntro: 'From the OpenAPI document of this server.',
  callsFailed: 'The OpenAPI document could not be loaded.',
  openapi: 'OpenAPI 3.1 document',
  problemsTitle: 'Errors',
  problemsIntro: 'Every error is a problem document (RFC 9457) with a code and a next step.',
  problems: {
    cause: 'What happened',
    cure: 'What to do',
    status: (status: number) => `HTTP status ${status}`,
    all: 'Error reference',
  },
} as const
