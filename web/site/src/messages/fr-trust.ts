import type { StaticMessages, TrustMessages } from './active.ts'

export const staticMessages: StaticMessages = {
  description: 'Images, textes et sons par IA, payés en USDC à chaque création. Sans compte, sans frais de gas.',
  tooOld: (browsers) => `Cette page demande un navigateur plus récent : ${browsers} ou ultérieur.`,
  notLoaded: 'Cette page n’a pas pu être chargée. Rechargez-la.',
  intro:
    'Pour acheter sur cette page, il faut JavaScript. Le même service répond en HTTP, tout programme peut donc acheter ici.',
  models: 'Modèles et prix actuels',
  programs: 'Pour les programmes (llms.txt)',
  startPrices: 'Prix par résultat, à partir de',
}

const refunds = ['/refunds', 'Remboursements'] as const
const contact = ['/contact', 'Contact'] as const

export const trustMessages: TrustMessages = {
  noContact:
    'L’opérateur de ce site n’a publié aucun contact. Les reçus et les inscriptions sur la blockchain restent à vous dans tous les cas.',
  status: {
    lead: 'Le service indique son propre état.',
    parts: [
      [
        'Maintenant',
        'Le rapport d’état nomme chaque partie : base de données, chaîne, paiements, modèles. `ok` veut dire que tout va bien.',
      ],
      [
        'Si une partie est en panne',
        'Un paiement signé est conservé et terminé plus tard. Il n’est jamais débité deux fois.',
      ],
    ],
    links: [['/api/health', 'Rapport d’état (JSON)'], ['/stats', 'Statistiques en direct'], contact],
  },
  refunds: {
    lead: 'Vous payez avant l’exécution du modèle. Si elle échoue définitivement, l’opérateur vous doit le montant.',
    parts: [
      [
        'Ce qui est automatique',
        'L’exécution échouée est enregistrée avec son paiement et figure dans la liste des sommes dues par l’opérateur. Rien n’est renvoyé automatiquement.',
      ],
      [
        'Comment récupérer la somme',
        'Écrivez à l’opérateur avec la référence du résultat. Une personne envoie le même montant, dans le même jeton, au portefeuille qui a payé, et note la transaction.',
      ],
      ['Ce qui n’est pas remboursé', 'Un résultat qui ne vous plaît pas, si le modèle l’a livré.'],
      [
        'Si rien n’a été débité',
        'Un paiement qui n’a pas été réglé n’a rien transféré. La signature expire au bout de dix minutes.',
      ],
    ],
    links: [['/history', 'Votre historique'], ['/receipt', 'Vérifier un reçu'], contact],
  },
  terms: {
    lead: 'Les règles de ce service, en bref.',
    parts: [
      [
        'Prix',
        'Le prix est affiché avant la signature, et c’est celui que vous payez. Il n’y a ni abonnement ni autres frais.',
      ],
      [
        'Vos résultats',
        'Ce que vous créez est à vous, dans la mesure où la licence du modèle et la loi le permettent. Consultez la licence du modèle avant de vendre un résultat.',
      ],
      [
        'Interdit',
        'Tout ce qui est illégal, et tout ce que l’auteur du modèle interdit. L’opérateur peut refuser ces demandes.',
      ],
      ['Aucune garantie', 'Les modèles se trompent. Vérifiez un résultat avant de vous y fier.'],
      [
        'L’opérateur',
        'Coinslot est un logiciel que chacun peut exploiter. Le contrat vous lie à l’opérateur de ce site.',
      ],
    ],
    links: [refunds, ['/privacy', 'Confidentialité'], contact],
  },
  privacy: {
    lead: 'Ni compte, ni pistage, ni requête de ce site vers d’autres sites.',
    parts: [
      [
        'Ce qui est conservé',
        'L’adresse de votre portefeuille, vos demandes, les résultats et les paiements. Ils appartiennent à votre portefeuille, et lui seul voit la liste.',
      ],
      [
        'Fichiers',
        'Une image ou un son a une longue adresse aléatoire. Quiconque a cette adresse peut ouvrir le fichier.',
      ],
      [
        'Inscriptions publiques',
        'Les paiements sont sur une chaîne publique. Chacun peut voir que votre portefeuille a payé ce service.',
      ],
      [
        'Fournisseurs de modèles',
        'Le prompt et les réglages vont au fournisseur qui exécute le modèle, sans votre adresse.',
      ],
      [
        'Cookies',
        'Un pour la connexion, un contre les requêtes falsifiées. Votre brouillon et vos paiements inachevés restent dans votre navigateur.',
      ],
    ],
    links: [['/terms', 'Conditions'], contact],
  },
  contact: {
    lead: 'Questions, remboursements et failles de sécurité.',
    parts: [
      [
        'À indiquer',
        'La référence du résultat ou de l’erreur, et le hash de la transaction. N’envoyez jamais de clé privée ni de phrase de récupération.',
      ],
      ['Sécurité', 'Pour signaler une faille : voir `/.well-known/security.txt`.'],
    ],
    links: [refunds, ['/.well-known/security.txt', 'security.txt']],
  },
}
