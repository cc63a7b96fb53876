import { servePart } from '../part.ts'
import { startNeonServer } from './server.ts'

await servePart(startNeonServer)
