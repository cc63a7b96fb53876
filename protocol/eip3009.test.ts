import { hashTypedData, keccak256, toBytes } from 'viem'
import { expect, it } from 'vitest'
import { authorizationOf, messageOf, TRANSFER_TYPES, transferDomain, transferTypedData } from './eip3009.ts'

const AUTHORIZATION = {
  from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
  to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  value: '10000',
  validAfter: '0',
  validBefore: '1740672154',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
} as const
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

it('default: the type hash is the one in the source of USDC', () => {
  const fields = TRANSFER_TYPES.TransferWithAuthorization.map(({ name, type }) => `${type} ${name}`).join(',')
  expect(keccak256(toBytes(`TransferWithAuthorization(${fields})`))).toBe(
    '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
  )
})

it('default: the domain is that of the token in the offer', () => {
  const offer = { network: 'eip155:84532', asset: USDC, extra: { name: 'USDC', version: '2' } } as const
  expect(transferDomain(offer)).toEqual({ name: 'USDC', version: '2', chainId: 84532, verifyingContract: USDC })
})

it('default: what is signed for the example of the x402 specification', () => {
  const domain = { name: 'USDC', version: '2', chainId: 84532, verifyingContract: USDC } as const
  const data = transferTypedData(AUTHORIZATION, domain)
  const digest = hashTypedData({ ...data, types: TRANSFER_TYPES, primaryType: 'TransferWithAuthorization' })
  expect(digest).toBe('0x8a91dbfb97e9c92c5f41c4a6c670b24ed3a7d88a4376649db9bb84e47dffbfdf')
})

it('behavior: an authorization is the same after it was a message', () => {
  expect(authorizationOf(messageOf(AUTHORIZATION))).toEqual(AUTHORIZATION)
})
