import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { address } from '../checks/launch-plan.ts'

/** The eight contracts of a launch and the account that deployed them. */
const presaleRecordSchema = z.object({
  ...{ claimModule: address, liquidityVault: address, devVault: address, teamVault: address },
  ...{ marketingVault: address, presaleVault: address, aicToken: address, presale: address },
  deployer: address,
})
export type PresaleRecord = z.infer<typeof presaleRecordSchema>

const fileSchema = z.record(z.string(), z.record(z.string(), z.string()))
export type AddressFile = z.infer<typeof fileSchema>

/** A file of addresses: by chain id, then by the contract's name. Throws when it is not one. */
export const readAddressFile = async (file: string): Promise<AddressFile> =>
  fileSchema.parse(JSON.parse(await readFile(file, 'utf8')))

/** The contracts of a launch on one chain; null when the file does not name all of them. */
export async function findPresaleRecord(file: string, chainId: number): Promise<PresaleRecord | null> {
  return presaleRecordSchema.safeParse((await readAddressFile(file))[String(chainId)]).data ?? null
}
