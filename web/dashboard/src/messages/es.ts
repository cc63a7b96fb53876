import { pluralOf } from '../../../shared/texts.ts'
import { shared } from '../../../shared/words/es.ts'
import type { Messages } from './active.ts'

export { pageMessages } from './es-pages.ts'
export { shared }

const plural = pluralOf(shared.format.locale)

export const messages: Messages = {
  title: (page) => `${page} · Panel de AIC · Coinslot`,
  brand: 'Coinslot',
  name: 'Panel de AIC',
  lead: 'La preventa de AIC, sus bóvedas, reclamaciones, roles y lista de lanzamiento, leídos de la blockchain.',
  noScript: 'Esta página lee la blockchain en tu navegador y necesita JavaScript para ello.',
  nav: {
    label: 'Páginas',
    sale: 'Venta',
    treasury: 'Fondos',
    token: 'Token',
    roles: 'Roles',
    checklist: 'Comprobaciones',
  },
  footer: 'Leído de la blockchain por este navegador. No consulta ningún servidor nuestro y no cambia nada.',
  loading: 'Leyendo la blockchain',
  unread: 'no se pudo leer',
  unknown: 'desconocido',
  none: 'ninguno',
  status: {
    label: 'Estado de estas cifras',
    live: (network, block) => `${network}, bloque ${block}`,
    ago: (seconds) => (seconds < 2 ? 'ahora' : `hace ${seconds} s`),
    reading: (network) => `${network}: leyendo la blockchain por primera vez`,
    behind: (message) => `El nodo va atrasado. ${message} Las cifras de abajo son las más recientes que dio.`,
    unreachable: (message) => `El nodo no responde: ${message}`,
    kept: (time) => `Las cifras de abajo son del ${time}.`,
    retry: 'Se le vuelve a preguntar cada cinco segundos.',
    partial: (block, blocks) =>
      `Este nodo solo busca en ${blocks} bloques por llamada, así que no se leyeron los eventos anteriores al bloque ${block}. Los saldos, totales y fechas están completos. Usa un nodo con un rango mayor para ver todos los eventos.`,
    purchasesMissing: 'Las compras más antiguas aún se están leyendo, bloque a bloque.',
    dropped: (count) =>
      plural(count, {
        one: 'Una reorganización sustituyó 1 evento.',
        other: `Las reorganizaciones sustituyeron ${count} eventos.`,
      }),
    unread: (reason) => `Una parte no se pudo leer: ${reason}`,
  },
  notConfigured: {
    title: 'La preventa no está configurada',
    local: 'Este entorno local no tiene preventa. Inícialo con una y vuelve a cargar la página.',
    built: 'Faltan estas variables. Defínelas y vuelve a compilar el panel.',
  },
  notLoaded: 'El panel no pudo iniciarse. Vuelve a cargar la página.',
  alerts: {
    title: 'Para revisar',
    fine: 'Nada inusual.',
    severity: { bad: 'Urgente', warn: 'Aviso' },
    nodeBehind: (time) => `El bloque más reciente de este nodo tiene ${time}.`,
    paused: (contract, until) => `${contract}: en pausa hasta el ${until}. La pausa termina sola.`,
    pauseAlmostUsed: (contract, hours) => `${contract}: ya usó ${hours} de sus 72 horas de pausa.`,
    notFinalized: (since) => `La venta terminó el ${since} y no se cerró. Cualquiera puede llamar a finalize.`,
    notRouted: (vault, amount) =>
      `${vault}: se le deben ${amount} desde hace más de un día. Cualquiera puede llamar a route.`,
    claimsNotCovered: (amount) => `Al módulo de reclamaciones le faltan ${amount} de lo que debe a los compradores.`,
    muchSpent: (vault, percent) => `${vault}: gastó el ${percent}\u00a0% de un token en un día.`,
    adminChanging: (contract, to, from) => `${contract}: su administrador pasará a ser ${to} a partir del ${from}.`,
    roleChanged: (contract, account, granted, at) =>
      granted ? `${contract}: ${account} recibió un rol el ${at}.` : `${contract}: ${account} perdió un rol el ${at}.`,
    payeeChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}: ${account} puede recibir pagos desde el ${at}.`
        : `${contract}: ${account} ya no puede recibir pagos desde el ${at}.`,
    check: (check, detail) => `Comprobaciones, ${check}: ${detail}.`,
  },
  contracts: {
    presale: 'Preventa',
    presaleVault: 'Bóveda de la preventa',
    claimModule: 'Módulo de reclamaciones',
    liquidityVault: 'Bóveda de liquidez',
    devVault: 'Bóveda de desarrollo',
    teamVault: 'Bóveda del equipo',
    marketingVault: 'Bóveda de marketing',
    aicToken: 'Token AIC',
    usdc: 'USDC',
    staking: 'Staking',
    wrapped: 'AIC envuelto',
    splitter: 'Repartidor de pagos',
  },
  allocations: {
    Community: 'Comunidad',
    Team: 'Equipo',
    Investors: 'Inversores',
    Treasury: 'Tesorería',
    Incentives: 'Incentivos',
    Liquidity: 'Liquidez',
  },
  vaults: {
    liquidity: 'Bóveda de liquidez',
    dev: 'Bóveda de desarrollo',
    team: 'Bóveda del equipo',
    marketing: 'Bóveda de marketing',
  },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `Multifirma, ${threshold} firmas` : `Multifirma, ${threshold} de ${owners}`,
    contract: 'Otro contrato',
    key: 'Una sola clave',
  },
  chart: { table: 'Ver como tabla', day: 'Día', week: 'Semana del', total: 'Total', running: 'Acumulado' },
  usdc: (amount) => `${amount} USDC`,
  aic: (amount) => `${amount} AIC`,
  hours: (hours) => `${hours} h`,
  address: 'dirección',
  transaction: 'transacción',
}
