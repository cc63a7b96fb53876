import { pluralOf } from '../../../shared/texts.ts'
import { shared } from '../../../shared/words/pt-BR.ts'
import type { Messages } from './active.ts'

export { pageMessages } from './pt-BR-pages.ts'
export { shared }

const plural = pluralOf(shared.format.locale)

export const messages: Messages = {
  title: (page) => `${page} · Painel do AIC · Coinslot`,
  brand: 'Coinslot',
  name: 'Painel do AIC',
  lead: 'A pré-venda de AIC, seus cofres, resgates, papéis e a lista de lançamento, lidos da blockchain.',
  noScript: 'Esta página lê a blockchain no seu navegador e precisa de JavaScript para isso.',
  nav: {
    label: 'Páginas',
    sale: 'Venda',
    treasury: 'Fundos',
    token: 'Token',
    roles: 'Papéis',
    checklist: 'Verificações',
  },
  footer: 'Lido da blockchain por este navegador. Não consulta nenhum servidor nosso e não muda nada.',
  loading: 'Lendo a blockchain',
  unread: 'não foi possível ler',
  unknown: 'desconhecido',
  none: 'nenhum',
  status: {
    label: 'Estado destes números',
    live: (network, block) => `${network}, bloco ${block}`,
    ago: (seconds) => (seconds < 2 ? 'agora' : `há ${seconds} s`),
    reading: (network) => `${network}: lendo a blockchain pela primeira vez`,
    behind: (message) => `O nó está atrasado. ${message} Os números abaixo são os mais recentes que ele deu.`,
    unreachable: (message) => `O nó não responde: ${message}`,
    kept: (time) => `Os números abaixo são de ${time}.`,
    retry: 'Ele é consultado de novo a cada cinco segundos.',
    partial: (block, blocks) =>
      `Este nó só pesquisa ${blocks} blocos por chamada, então os eventos anteriores ao bloco ${block} não foram lidos. Saldos, totais e datas estão completos. Use um nó com intervalo maior para ver todos os eventos.`,
    purchasesMissing: 'As compras mais antigas ainda estão sendo lidas, bloco a bloco.',
    dropped: (count) =>
      plural(count, {
        one: `Uma reorganização substituiu ${count} evento.`,
        other: `Reorganizações substituíram ${count} eventos.`,
      }),
    unread: (reason) => `Uma parte não pôde ser lida: ${reason}`,
  },
  notConfigured: {
    title: 'A pré-venda não está configurada',
    local: 'Este ambiente local não tem pré-venda. Inicie-o com uma e recarregue a página.',
    built: 'Faltam estas variáveis. Defina-as e compile o painel de novo.',
  },
  notLoaded: 'O painel não pôde iniciar. Recarregue a página.',
  alerts: {
    title: 'Para verificar',
    fine: 'Nada fora do comum.',
    severity: { bad: 'Urgente', warn: 'Aviso' },
    nodeBehind: (time) => `O bloco mais novo deste nó tem ${time}.`,
    paused: (contract, until) => `${contract}: pausa até ${until}. A pausa termina sozinha.`,
    pauseAlmostUsed: (contract, hours) => `${contract}: já usou ${hours} das suas 72 horas de pausa.`,
    notFinalized: (since) => `A venda terminou em ${since} e não foi encerrada. Qualquer pessoa pode chamar finalize.`,
    notRouted: (vault, amount) => `${vault}: ${amount} a receber há mais de um dia. Qualquer pessoa pode chamar route.`,
    claimsNotCovered: (amount) => `Faltam ao módulo de resgate ${amount} do que ele deve aos compradores.`,
    muchSpent: (vault, percent) => `${vault}: gastou ${percent}% de um token em um dia.`,
    adminChanging: (contract, to, from) => `${contract}: o administrador passará a ser ${to} a partir de ${from}.`,
    roleChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}: ${account} recebeu um papel em ${at}.`
        : `${contract}: ${account} perdeu um papel em ${at}.`,
    payeeChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}: ${account} pode receber pagamentos desde ${at}.`
        : `${contract}: ${account} não pode mais receber pagamentos desde ${at}.`,
    check: (check, detail) => `Verificações, ${check}: ${detail}.`,
  },
  contracts: {
    presale: 'Pré-venda',
    presaleVault: 'Cofre da pré-venda',
    claimModule: 'Módulo de resgate',
    liquidityVault: 'Cofre de liquidez',
    devVault: 'Cofre de desenvolvimento',
    teamVault: 'Cofre da equipe',
    marketingVault: 'Cofre de marketing',
    aicToken: 'Token AIC',
    usdc: 'USDC',
    staking: 'Staking',
    wrapped: 'Wrapped AIC',
    splitter: 'Divisor de pagamentos',
  },
  allocations: {
    Community: 'Comunidade',
    Team: 'Equipe',
    Investors: 'Investidores',
    Treasury: 'Tesouraria',
    Incentives: 'Incentivos',
    Liquidity: 'Liquidez',
  },
  vaults: {
    liquidity: 'Cofre de liquidez',
    dev: 'Cofre de desenvolvimento',
    team: 'Cofre da equipe',
    marketing: 'Cofre de marketing',
  },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `Multiassinatura, ${threshold} assinaturas` : `Multiassinatura, ${threshold} de ${owners}`,
    contract: 'Outro contrato',
    key: 'Uma única chave',
  },
  chart: { table: 'Ver como tabela', day: 'Dia', week: 'Semana de', total: 'Total', running: 'Acumulado' },
  usdc: (amount) => `${amount} USDC`,
  aic: (amount) => `${amount} AIC`,
  hours: (hours) => `${hours} h`,
  address: 'endereço',
  transaction: 'transação',
}
