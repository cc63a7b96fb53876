import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'es',
  format: {
    locale: 'es',
    group: '.',
    decimal: ',',
    groupFrom: 5,
    dollars: (amount) => `${amount}\u00a0US$`,
    cents: (amount) => `${amount}\u00a0¢`,
    seconds: (count) => `${count}\u00a0s`,
    minutes: (count) => `${count}\u00a0min`,
    space: ' ',
  },
  skip: 'Ir al contenido',
  language: 'Idioma',
  theme: { label: 'Colores', system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'No se pudo copiar. Selecciónalo a mano:',
  injectedWallet: 'Wallet del navegador',
  demoWallet: 'Wallet de prueba',
  explorer: 'Ver en el explorador de bloques',
}
