/** Variables of the build; each may be missing. */
interface ImportMetaEnv {
  readonly NEXT_PUBLIC_ENABLE_DEV_CHAIN?: string
  readonly NEXT_PUBLIC_ETHEREUM_RPC_URL?: string
  readonly NEXT_PUBLIC_SEPOLIA_RPC_URL?: string
  readonly NEXT_PUBLIC_BASE_RPC_URL?: string
  readonly NEXT_PUBLIC_BASE_SEPOLIA_RPC_URL?: string
  readonly NEXT_PUBLIC_AIC_TOKEN_ADDRESS?: string
  readonly NEXT_PUBLIC_AIC_STAKING_ADDRESS?: string
  readonly NEXT_PUBLIC_AIC_PAYMENT_TOKEN_ADDRESS?: string
  readonly NEXT_PUBLIC_CONTACT?: string
  readonly NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID?: string
}
