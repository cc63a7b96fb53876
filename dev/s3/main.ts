import { servePart } from '../part.ts'
import { startS3Server } from './server.ts'

await servePart(startS3Server)
