import { servePart } from '../stack/service.ts'
import { startProvider } from './server.ts'

await servePart(startProvider)
