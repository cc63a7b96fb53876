/** The texts of index.html, and those for browsers without script. */
export const staticMessages = {
  description: 'AI pictures, texts and sounds, paid per result in USDC. No account, no gas.',
  tooOld: (browsers: string) => `This page needs a newer browser: ${browsers}, or later.`,
  notLoaded: 'This page could not be loaded. Load the page again.',
  intro: 'Buying on this page needs JavaScript. The same service answers plain HTTP, so any program can buy here.',
  models: 'Models and present prices',
  programs: 'For programs (llms.txt)',
  startPrices: 'Starting prices per run',
} as const

const refunds = ['/refunds', 'Refunds'] as const
const contact = ['/contact', 'Contact'] as const

/** The texts of the footer's pages. Backticks mark code. */
export const trustMessages = {
  noContact:
    'The operator of this site has published no contact address. The receipts and the records on chain are yours in any case.',
  status: {
    lead: 'The service reports its own state.',
    parts: [
      ['Now', 'The health report names each part: database, chain, payments, models. `ok` is good.'],
      ['If a part is down', 'A payment that was signed is kept and finished later. It is never charged twice.'],
    ],
    links: [['/api/health', 'Health report (JSON)'], ['/stats', 'Live numbers'], contact],
  },
  refunds: {
    lead: 'You pay before the model runs. If the run fails for good, the operator owes you the amount.',
    parts: [
      [
        'What happens by itself',
        'The failed run is recorded with its payment and appears in the operator’s list of owed payments. Nothing is sent back automatically.',
      ],
      [
        'How you get it back',
        'Write to the operator with the reference of the result. A person sends the same amount, in the same token, to the wallet that paid, and notes the transaction.',
      ],
      ['What is not refunded', 'A result that you do not like, if the model delivered it.'],
      [
        'If nothing was charged',
        'A payment that did not settle moved no money. The signature expires after ten minutes.',
      ],
    ],
    links: [['/history', 'Your history'], ['/receipt', 'Check a receipt'], contact],
  },
  terms: {
    lead: 'The rules of this service, in short.',
    parts: [
      [
        'Price',
        'The price is shown before you sign, and it is the price you pay. There is no subscription and no further charge.',
      ],
      [
        'Your results',
        'What you make is yours, as far as the model’s own licence and the law allow. Check the licence of the model before you sell a result.',
      ],
      [
        'Not allowed',
        'Anything unlawful, and anything that the model’s maker forbids. The operator may refuse such requests.',
      ],
      ['No warranty', 'Models make mistakes. Check a result before you rely on it.'],
      ['The operator', 'Coinslot is software that anyone can run. The contract is with the operator of this site.'],
    ],
    links: [refunds, ['/privacy', 'Privacy'], contact],
  },
  privacy: {
    lead: 'No account, no tracking, and no request from this site to others.',
    parts: [
      [
        'What is stored',
        'Your wallet’s address, what you asked for, the results, and the payments. They belong to your wallet, and only it sees the list.',
      ],
      ['Files', 'A picture or a sound has a long random address. Anyone who has this address can open the file.'],
      ['Public records', 'Payments are on a public chain. Anyone can see that your wallet paid this service.'],
      ['Model providers', 'The prompt and the settings go to the provider that runs the model, without your address.'],
      [
        'Cookies',
        'One for the sign-in, one against forged requests. Your draft and your unfinished payments stay in your browser.',
      ],
    ],
    links: [['/terms', 'Terms'], contact],
  },
  contact: {
    lead: 'Questions, refunds and security reports.',
    parts: [
      [
        'What helps',
        'The reference of the result or of the error, and the transaction’s hash. Never send a private key or a recovery phrase.',
      ],
      ['Security', 'To report a vulnerability, see `/.well-known/security.txt`.'],
    ],
    links: [refunds, ['/.well-known/security.txt', 'security.txt']],
  },
} as const
