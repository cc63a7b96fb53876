import type { WalletMessages } from './active.ts'

export const walletMessages: WalletMessages = {
  pairing: {
    loading: 'Conectando con WalletConnect…',
    qr: 'conecta una wallet',
    scan: 'Escanea este código con la app de tu wallet y aprueba allí la conexión.',
    open: 'Abrir tu wallet',
    copy: 'Copiar el enlace de conexión',
  },
  waysOn: {
    qr: 'esta página, con lo que escribiste',
    desktop: 'Escanea este código con la cámara de la app de tu wallet. La página se abre allí con lo que escribiste.',
    phone: 'Abre esta página en el navegador de tu wallet. Copia antes tu prompt: algunas wallets no lo conservan.',
    getOne: 'Conseguir una wallet',
    copy: 'Copiar el enlace a esta página',
    copyPrompt: 'Copiar mi prompt',
  },
  funds: {
    checkAgain: 'Comprobar de nuevo',
    faucet: 'Obtener USDC de prueba',
    faucetBusy: 'Enviando USDC de prueba…',
    fund: (network) => `Envía USDC por ${network} a tu dirección. Esta página lo comprueba automáticamente.`,
    fundHelp: 'Puedes retirar USDC de un exchange o comprarlos en tu wallet. Elige allí esta red.',
    wrap: 'Para pagar con AIC, usa wrapped AIC. Puedes hacer wrap en la página de tu cuenta.',
    wrapLink: 'Hacer wrap de AIC',
    address: 'Tu dirección',
  },
}
