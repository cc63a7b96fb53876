import { pluralOf } from '../../../shared/texts.ts'
import { shared } from '../../../shared/words/de.ts'
import type { Messages } from './active.ts'

export { pageMessages } from './de-pages.ts'
export { shared }

const plural = pluralOf(shared.format.locale)

export const messages: Messages = {
  title: (page) => `${page} · AIC-Dashboard · Coinslot`,
  brand: 'Coinslot',
  name: 'AIC-Dashboard',
  lead: 'Der AIC-Vorverkauf, seine Tresore, das Abholen, die Rollen und die Startprüfung, von der Blockchain gelesen.',
  noScript: 'Diese Seite liest die Blockchain in deinem Browser und braucht dafür JavaScript.',
  nav: {
    label: 'Seiten',
    sale: 'Verkauf',
    treasury: 'Kasse',
    token: 'Token',
    roles: 'Rollen',
    checklist: 'Startprüfung',
  },
  footer: 'Von diesem Browser auf der Blockchain gelesen. Kein Server von uns wird gefragt, nichts wird geändert.',
  loading: 'Die Blockchain wird gelesen',
  unread: 'konnte nicht gelesen werden',
  unknown: 'unbekannt',
  none: 'keine',
  status: {
    label: 'Stand dieser Zahlen',
    live: (network, block) => `${network}, Block ${block}`,
    ago: (seconds) => (seconds < 2 ? 'jetzt' : `vor ${seconds} s`),
    reading: (network) => `${network}: Die Blockchain wird zum ersten Mal gelesen`,
    behind: (message) =>
      `Der Node hängt hinterher. ${message} Die Zahlen unten sind die neuesten, die er geliefert hat.`,
    unreachable: (message) => `Der Node antwortet nicht: ${message}`,
    kept: (time) => `Die Zahlen unten sind von ${time}.`,
    retry: 'Er wird alle fünf Sekunden wieder gefragt.',
    partial: (block, blocks) =>
      `Dieser Node durchsucht nur ${blocks} Blöcke pro Aufruf, deshalb wurden Ereignisse vor Block ${block} nicht gelesen. Guthaben, Summen und Termine sind vollständig. Mit einem Node, der mehr zulässt, siehst du alle Ereignisse.`,
    purchasesMissing: 'Ältere Käufe werden noch gelesen, Block für Block.',
    dropped: (count) =>
      plural(count, {
        one: '1 Ereignis wurde durch eine Reorganisation ersetzt.',
        other: `${count} Ereignisse wurden durch Reorganisationen ersetzt.`,
      }),
    unread: (reason) => `Ein Teil konnte nicht gelesen werden: ${reason}`,
  },
  notConfigured: {
    title: 'Der Vorverkauf ist nicht eingerichtet',
    local: 'Diese lokale Umgebung hat keinen Vorverkauf. Starte sie mit einem und lade die Seite neu.',
    built: 'Diese Variablen fehlen. Setze sie und baue das Dashboard neu.',
  },
  notLoaded: 'Das Dashboard konnte nicht starten. Lade die Seite neu.',
  alerts: {
    title: 'Zu beachten',
    fine: 'Nichts Ungewöhnliches.',
    severity: { bad: 'Dringend', warn: 'Hinweis' },
    nodeBehind: (time) => `Der neueste Block dieses Nodes ist ${time} alt.`,
    paused: (contract, until) => `${contract}: pausiert bis ${until}. Die Pause endet von selbst.`,
    pauseAlmostUsed: (contract, hours) => `${contract}: ${hours} der 72 Stunden Pause sind aufgebraucht.`,
    notFinalized: (since) =>
      `Der Verkauf endete am ${since} und wurde nicht abgeschlossen. Jeder kann finalize aufrufen.`,
    notRouted: (vault, amount) => `${vault}: ${amount} sind seit über einem Tag fällig. Jeder kann route aufrufen.`,
    claimsNotCovered: (amount) => `Dem Abholmodul fehlen ${amount} von dem, was es den Käufern schuldet.`,
    muchSpent: (vault, percent) => `${vault}: ${percent}\u00a0% eines Tokens an einem Tag ausgegeben.`,
    adminChanging: (contract, to, from) => `${contract}: Admin soll ab ${from} ${to} werden.`,
    roleChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}: ${account} bekam am ${at} eine Rolle.`
        : `${contract}: ${account} verlor am ${at} eine Rolle.`,
    payeeChanged: (contract, account, granted, at) =>
      granted
        ? `${contract}: ${account} kann seit ${at} bezahlt werden.`
        : `${contract}: ${account} kann seit ${at} nicht mehr bezahlt werden.`,
    check: (check, detail) => `Startprüfung, ${check}: ${detail}.`,
  },
  contracts: {
    presale: 'Vorverkauf',
    presaleVault: 'Tresor des Vorverkaufs',
    claimModule: 'Abholmodul',
    liquidityVault: 'Liquiditätstresor',
    devVault: 'Entwicklungstresor',
    teamVault: 'Teamtresor',
    marketingVault: 'Marketingtresor',
    aicToken: 'AIC-Token',
    usdc: 'USDC',
    staking: 'Staking',
    wrapped: 'Wrapped AIC',
    splitter: 'Zahlungsverteiler',
  },
  allocations: {
    Community: 'Community',
    Team: 'Team',
    Investors: 'Investoren',
    Treasury: 'Treasury',
    Incentives: 'Anreize',
    Liquidity: 'Liquidität',
  },
  vaults: {
    liquidity: 'Liquiditätstresor',
    dev: 'Entwicklungstresor',
    team: 'Teamtresor',
    marketing: 'Marketingtresor',
  },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `Multisig, ${threshold} Signaturen` : `Multisig, ${threshold} von ${owners}`,
    contract: 'Anderer Contract',
    key: 'Ein Schlüssel',
  },
  chart: { table: 'Als Tabelle zeigen', day: 'Tag', week: 'Woche ab', total: 'Summe', running: 'Insgesamt' },
  usdc: (amount) => `${amount} USDC`,
  aic: (amount) => `${amount} AIC`,
  hours: (hours) => `${hours} Std.`,
  address: 'Adresse',
  transaction: 'Transaktion',
}
