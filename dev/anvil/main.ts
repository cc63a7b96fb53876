import { servePart } from '../stack/service.ts'
import { startChain } from './chain.ts'

await servePart(startChain)
