import type { StaticMessages, TrustMessages } from './active.ts'

export const staticMessages: StaticMessages = {
  description: 'Bilder, Texte und Töne von KI, bezahlt pro Ergebnis in USDC. Kein Konto, kein Gas.',
  tooOld: (browsers) => `Diese Seite braucht einen neueren Browser: ${browsers} oder später.`,
  notLoaded: 'Diese Seite konnte nicht geladen werden. Lade sie neu.',
  intro:
    'Kaufen auf dieser Seite braucht JavaScript. Derselbe Dienst antwortet über HTTP, sodass jedes Programm hier kaufen kann.',
  models: 'Modelle und aktuelle Preise',
  programs: 'Für Programme (llms.txt)',
  startPrices: 'Preise pro Ergebnis ab',
}

const refunds = ['/refunds', 'Erstattungen'] as const
const contact = ['/contact', 'Kontakt'] as const

export const trustMessages: TrustMessages = {
  noContact:
    'Der Betreiber dieser Seite hat keinen Kontakt veröffentlicht. Die Belege und die Einträge auf der Blockchain gehören dir in jedem Fall.',
  status: {
    lead: 'Der Dienst meldet seinen Zustand selbst.',
    parts: [
      ['Jetzt', 'Der Zustandsbericht nennt jeden Teil: Datenbank, Chain, Zahlungen, Modelle. `ok` heißt gut.'],
      [
        'Wenn ein Teil ausfällt',
        'Eine signierte Zahlung bleibt erhalten und wird später abgeschlossen. Sie wird nie doppelt abgebucht.',
      ],
    ],
    links: [['/api/health', 'Zustandsbericht (JSON)'], ['/stats', 'Aktuelle Zahlen'], contact],
  },
  refunds: {
    lead: 'Du zahlst, bevor das Modell läuft. Schlägt der Lauf endgültig fehl, schuldet dir der Betreiber den Betrag.',
    parts: [
      [
        'Was von selbst geschieht',
        'Der fehlgeschlagene Lauf wird mit seiner Zahlung festgehalten und steht in der Liste der offenen Beträge des Betreibers. Nichts wird automatisch zurückgeschickt.',
      ],
      [
        'So bekommst du das Geld zurück',
        'Schreib dem Betreiber mit der Referenz des Ergebnisses. Ein Mensch sendet denselben Betrag im selben Token an die Wallet, die gezahlt hat, und notiert die Transaktion.',
      ],
      ['Was nicht erstattet wird', 'Ein Ergebnis, das dir nicht gefällt, wenn das Modell es geliefert hat.'],
      [
        'Wenn nichts abgebucht wurde',
        'Eine Zahlung, die nicht abgeschlossen wurde, hat kein Geld bewegt. Die Signatur läuft nach zehn Minuten ab.',
      ],
    ],
    links: [['/history', 'Dein Verlauf'], ['/receipt', 'Beleg prüfen'], contact],
  },
  terms: {
    lead: 'Die Regeln dieses Dienstes in Kürze.',
    parts: [
      [
        'Preis',
        'Der Preis steht da, bevor du signierst, und genau den zahlst du. Es gibt kein Abo und keine weiteren Kosten.',
      ],
      [
        'Deine Ergebnisse',
        'Was du machst, gehört dir, soweit die Lizenz des Modells und das Gesetz es erlauben. Prüfe die Lizenz des Modells, bevor du ein Ergebnis verkaufst.',
      ],
      [
        'Nicht erlaubt',
        'Alles Rechtswidrige und alles, was der Hersteller des Modells verbietet. Der Betreiber kann solche Anfragen ablehnen.',
      ],
      ['Keine Gewähr', 'Modelle machen Fehler. Prüfe ein Ergebnis, bevor du dich darauf verlässt.'],
      [
        'Der Betreiber',
        'Coinslot ist Software, die jeder betreiben kann. Der Vertrag besteht mit dem Betreiber dieser Seite.',
      ],
    ],
    links: [refunds, ['/privacy', 'Datenschutz'], contact],
  },
  privacy: {
    lead: 'Kein Konto, kein Tracking und keine Anfrage dieser Seite an andere.',
    parts: [
      [
        'Was gespeichert wird',
        'Die Adresse deiner Wallet, deine Anfragen, die Ergebnisse und die Zahlungen. Sie gehören zu deiner Wallet, und nur sie sieht die Liste.',
      ],
      [
        'Dateien',
        'Ein Bild oder ein Ton hat eine lange zufällige Adresse. Wer diese Adresse kennt, kann die Datei öffnen.',
      ],
      [
        'Öffentliche Einträge',
        'Zahlungen stehen auf einer öffentlichen Chain. Jeder kann sehen, dass deine Wallet diesen Dienst bezahlt hat.',
      ],
      [
        'Anbieter der Modelle',
        'Der Prompt und die Einstellungen gehen an den Anbieter, der das Modell betreibt, ohne deine Adresse.',
      ],
      [
        'Cookies',
        'Eines für die Anmeldung, eines gegen gefälschte Anfragen. Dein Entwurf und deine offenen Zahlungen bleiben in deinem Browser.',
      ],
    ],
    links: [['/terms', 'Bedingungen'], contact],
  },
  contact: {
    lead: 'Fragen, Erstattungen und Sicherheitslücken.',
    parts: [
      [
        'Bitte angeben',
        'Die Referenz des Ergebnisses oder des Fehlers und der Hash der Transaktion. Sende nie einen privaten Schlüssel oder eine Wiederherstellungsphrase.',
      ],
      ['Sicherheit', 'Meldungen von Sicherheitslücken: siehe `/.well-known/security.txt`.'],
    ],
    links: [refunds, ['/.well-known/security.txt', 'security.txt']],
  },
}
