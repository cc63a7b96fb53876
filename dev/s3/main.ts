import { servePart } from '../stack/service.ts'
import { startS3Server } from './server.ts'

await servePart(startS3Server)
