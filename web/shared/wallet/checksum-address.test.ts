import { getAddress, isAddress, keccak256, toHex } from 'viem'
import { expect, it } from 'vitest'
import { checksumAddress } from './checksum-address.ts'

it('default: 500 addresses in lower, upper or right letter case get that of EIP-55', async () => {
  const addresses = Array.from({ length: 500 }, (_, index) => `0x${keccak256(toHex(index)).slice(-40)}`)
  for (const address of addresses) {
    if (!isAddress(address)) throw new Error('not an address')
    const right = getAddress(address)
    for (const written of [address, address.toUpperCase().replace('0X', '0x'), right]) {
      expect(await checksumAddress(written)).toBe(right)
    }
  }
})
