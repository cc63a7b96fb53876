import { freePort } from '../../../dev/process/ports.ts'
import { startStack } from '../../../dev/stack/stack.ts'

// The local stack in a separate process, for the browser tests. Prints one JSON line when ready, and stops when stdin ends.
const stack = await startStack({ limits: false, port: await freePort() })
process.stdout.write(`${JSON.stringify(stack.info)}\n`)
process.stdin.resume().once('end', () => stack.stop().finally(() => process.exit(0)))
