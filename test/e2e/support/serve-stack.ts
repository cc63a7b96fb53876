import { startStack } from '../../../dev/stack/stack.ts'

// The local stack as a process of its own, for the browser tests: one JSON line when ready, gone when stdin ends.
const stack = await startStack({ limits: false, firstPort: 19_787 })
process.stdout.write(`${JSON.stringify(stack.facts)}\n`)
process.stdin.resume().once('end', () => stack.stop().finally(() => process.exit(0)))
