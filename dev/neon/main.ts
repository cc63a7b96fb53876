import { servePart } from '../stack/service.ts'
import { startNeonServer } from './server.ts'

await servePart(startNeonServer)
