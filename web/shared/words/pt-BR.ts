import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'pt-BR',
  format: {
    locale: 'pt-BR',
    group: '.',
    decimal: ',',
    groupFrom: 4,
    dollars: (amount) => `US$\u00a0${amount}`,
    cents: (amount) => `${amount}\u00a0¢`,
    seconds: (count) => `${count}\u00a0s`,
    minutes: (count) => `${count}\u00a0min`,
    space: ' ',
  },
  skip: 'Ir para o conteúdo',
  language: 'Idioma',
  theme: { label: 'Cores', system: 'Sistema', light: 'Claro', dark: 'Escuro' },
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'Não foi possível copiar. Selecione manualmente:',
  injectedWallet: 'Carteira do navegador',
  demoWallet: 'Carteira de teste',
  explorer: 'Ver no explorador de blocos',
}
