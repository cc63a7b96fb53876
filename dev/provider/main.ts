import { servePart } from '../part.ts'
import { startProvider } from './server.ts'

await servePart(startProvider)
