import { getAddress, isAddress, keccak256, toHex } from 'viem'
import { expect, it } from 'vitest'
import { checksumAddress } from './checksum-address.ts'

it('default: 500 addresses in any letter case get the letter case of EIP-55', () => {
  const addresses = Array.from({ length: 500 }, (_, index) => `0x${keccak256(toHex(index)).slice(-40)}`)
  for (const address of addresses) {
    if (!isAddress(address)) throw new Error('not an address')
    expect(checksumAddress(address)).toBe(getAddress(address))
    expect(checksumAddress(address.toUpperCase().replace('0X', '0x'))).toBe(getAddress(address))
  }
})
