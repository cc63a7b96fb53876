import type { SharedWords } from '../texts.ts'

export const shared: SharedWords = {
  tag: 'pt-BR',
  format: {
    locale: 'pt-BR',
    group: '.',
    decimal: ',',
    groupFrom: 4,
    dollars: (amount) => `US$ ${amount}`,
    cents: (amount) => `${amount} ¢`,
    seconds: (count) => `${count} s`,
    minutes: (count) => `${count} min`,
    space: ' ',
  },
  skip: 'Ir para o conteúdo',
  language: 'Idioma',
  theme: { label: 'Cores', system: 'Sistema', light: 'Claro', dark: 'Escuro' },
  copy: 'Copiar',
  copied: 'Copiado',
  injectedWallet: 'Carteira do navegador',
  demoWallet: 'Carteira de teste',
  explorer: 'Ver no explorador de blocos',
}
