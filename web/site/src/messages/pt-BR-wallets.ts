import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: 'Conectando ao WalletConnect…',
    qr: 'conecta uma carteira',
    scan: 'Escaneie este código com o app da sua carteira e aprove a conexão lá.',
    open: 'Abrir sua carteira',
    copy: 'Copiar o link de conexão',
  },
  waysOn: {
    qr: 'esta página, com o que você digitou',
    desktop: 'Escaneie este código com a câmera do app da sua carteira. A página abre lá com o que você digitou.',
    phone:
      'Abra esta página no navegador da sua carteira. Copie antes o seu prompt: algumas carteiras não o levam junto.',
    getOne: 'Obter uma carteira',
    copy: 'Copiar o link desta página',
    copyPrompt: 'Copiar meu prompt',
  },
  funds: {
    checkAgain: 'Verificar de novo',
    faucet: 'Obter USDC de teste',
    faucetBusy: 'Enviando USDC de teste…',
    fund: (network) => `Envie USDC pela rede ${network} para o seu endereço. Esta página verifica automaticamente.`,
    fundHelp: 'Você pode sacar USDC de uma corretora ou comprar na sua carteira. Escolha esta rede lá.',
    wrap: 'Para pagar com AIC, use wrapped AIC. Você pode fazer o wrap na página da conta.',
    wrapLink: 'Fazer wrap de AIC',
    address: 'Seu endereço',
  },
}
