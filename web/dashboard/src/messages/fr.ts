import { pluralOf } from '../../../shared/texts.ts'
import { shared } from '../../../shared/words/fr.ts'
import type { Messages } from './active.ts'

export { pageMessages } from './fr-pages.ts'
export { shared }

const plural = pluralOf(shared.format.locale)

export const messages: Messages = {
  title: (page) => `${page} · Tableau de bord AIC · Coinslot`,
  brand: 'Coinslot',
  name: 'Tableau de bord AIC',
  lead: 'La prévente AIC, ses coffres, réclamations, rôles et contrôles de lancement, lus sur la blockchain.',
  noScript: 'Cette page lit la blockchain dans votre navigateur et a besoin de JavaScript pour cela.',
  nav: {
    label: 'Pages',
    sale: 'Vente',
    treasury: 'Fonds',
    token: 'Jeton',
    roles: 'Rôles',
    checklist: 'Contrôles',
  },
  footer: 'Lu sur la blockchain par ce navigateur. Aucun de nos serveurs n’est interrogé, rien n’est modifié.',
  loading: 'Lecture de la blockchain',
  unread: 'lecture impossible',
  unknown: 'inconnu',
  none: 'aucun',
  status: {
    label: 'État de ces chiffres',
    live: (network, block) => `${network}, bloc ${block}`,
    ago: (seconds) => (seconds < 2 ? 'à l’instant' : `il y a ${seconds} s`),
    reading: (network) => `${network} : première lecture de la blockchain`,
    behind: (message) =>
      `Le nœud est en retard. ${message} Les chiffres ci-dessous sont les plus récents qu’il a donnés.`,
    unreachable: (message) => `Le nœud ne répond pas : ${message}`,
    kept: (time) => `Les chiffres ci-dessous datent du ${time}.`,
    retry: 'Il est interrogé de nouveau toutes les cinq secondes.',
    partial: (block, blocks) =>
      `Ce nœud ne cherche que dans ${blocks} blocs par appel ; les événements antérieurs au bloc ${block} n’ont donc pas été lus. Soldes, totaux et dates sont complets. Utilisez un nœud qui cherche plus loin pour voir tous les événements.`,
    purchasesMissing: 'Les achats plus anciens sont encore en cours de lecture, bloc par bloc.',
    dropped: (count) =>
      plural(count, {
        one: `Une réorganisation a remplacé ${count} événement.`,
        other: `Des réorganisations ont remplacé ${count} événements.`,
      }),
    unread: (reason) => `Une partie n’a pas pu être lue : ${reason}`,
  },
  notConfigured: {
    title: 'La prévente n’est pas configurée',
    local: 'Cet environnement local n’a pas de prévente. Démarrez-le avec une prévente, puis rechargez la page.',
    built: 'Ces variables manquent. Définissez-les et recompilez le tableau de bord.',
  },
  notLoaded: 'Le tableau de bord n’a pas pu démarrer. Rechargez la page.',
  alerts: {
    title: 'À examiner',
    fine: 'Rien d’inhabituel.',
    severity: { bad: 'Urgent', warn: 'Remarque' },
    nodeBehind: (time) => `Le bloc le plus récent de ce nœud date de ${time}.`,
    paused: (contract, until) => `${contract} : en pause jusqu’au ${until}. La pause se termine d’elle-même.`,
    pauseAlmostUsed: (contract, hours) => `${contract} : ${hours} des 72 heures de pause sont épuisées.`,
    notFinalized: (since) =>
      `La vente s’est terminée le ${since} et n’a pas été clôturée. Tout le monde peut appeler finalize.`,
    notRouted: (vault, amount) => `${vault} : ${amount} dus depuis plus d’un jour. Tout le monde peut appeler route.`,
    claimsNotCovered: (amount) => `Il manque au module de réclamation ${amount} de ce qu’il doit aux acheteurs.`,
    muchSpent: (vault, percent) => `${vault} : ${percent} % d’un jeton dépensés en un jour.`,
    adminChanging: (contract, to, from) => `${contract} : l’administrateur deviendra ${to} à partir du ${from}.`,
    roleChanged: (contract, account, granted, at) =>
      granted
        ? `${contract} : ${account} a reçu un rôle le ${at}.`
        : `${contract} : ${account} a perdu un rôle le ${at}.`,
    payeeChanged: (contract, account, granted, at) =>
      granted
        ? `${contract} : ${account} peut être payé depuis le ${at}.`
        : `${contract} : ${account} ne peut plus être payé depuis le ${at}.`,
    check: (check, detail) => `Contrôles, ${check} : ${detail}.`,
  },
  contracts: {
    presale: 'Prévente',
    presaleVault: 'Coffre de la prévente',
    claimModule: 'Module de réclamation',
    liquidityVault: 'Coffre de liquidité',
    devVault: 'Coffre de développement',
    teamVault: 'Coffre de l’équipe',
    marketingVault: 'Coffre marketing',
    aicToken: 'Jeton AIC',
    usdc: 'USDC',
    staking: 'Staking',
    wrapped: 'AIC enveloppés',
    splitter: 'Répartiteur de paiements',
  },
  allocations: {
    Community: 'Communauté',
    Team: 'Équipe',
    Investors: 'Investisseurs',
    Treasury: 'Trésorerie',
    Incentives: 'Incitations',
    Liquidity: 'Liquidité',
  },
  vaults: {
    liquidity: 'Coffre de liquidité',
    dev: 'Coffre de développement',
    team: 'Coffre de l’équipe',
    marketing: 'Coffre marketing',
  },
  accounts: {
    safe: (threshold, owners) =>
      owners === 0 ? `Multisignature, ${threshold} signatures` : `Multisignature, ${threshold} sur ${owners}`,
    contract: 'Autre contrat',
    key: 'Une seule clé',
  },
  chart: { table: 'Afficher en tableau', day: 'Jour', week: 'Semaine du', total: 'Total', running: 'Cumul' },
  usdc: (amount) => `${amount} USDC`,
  aic: (amount) => `${amount} AIC`,
  hours: (hours) => `${hours} h`,
  address: 'adresse',
  transaction: 'transaction',
}
