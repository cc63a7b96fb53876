import { servePart } from '../part.ts'
import { startChain } from './chain.ts'

await servePart(startChain)
