import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { isPortFree } from './ports.ts'
import { startReaper } from './reaper.ts'
import { readReadyLine } from './service.ts'
import { type SupervisedOptions, supervise } from './supervisor.ts'

/** A service that listens on the given port, with a child that listens too and would outlive it. */
const CHILD = `require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
const SERVICE = `
const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(CHILD)}], { stdio: 'pipe' })
child.stdout.on('data', (childPort) => {
  require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1', function () {
    console.log('a line for the log')
    console.log(JSON.stringify({ ready: true, port: this.address().port, childPort: Number(childPort) }))
  })
})
process.on('SIGTERM', () => process.exit(0))
`
const infoSchema = z.object({ port: z.number(), childPort: z.number() })
type Info = z.infer<typeof infoSchema>

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'supervisor-'))
})
afterEach(() => rm(dir, { recursive: true }))

const reaper = startReaper()

function options(change: Partial<SupervisedOptions<Info>> = {}): SupervisedOptions<Info> {
  return {
    name: 'service',
    logFile: join(dir, 'service.log'),
    reaper,
    launch: (previous) => ({
      command: process.execPath,
      args: ['-e', SERVICE, String(previous?.port ?? 0)],
      env: process.env,
    }),
    ready: (child, log) => readReadyLine(child, log, infoSchema),
    ...change,
  }
}

test('behavior: a killed service starts again on its port, without the processes it had started', async () => {
  const deaths: string[] = []
  const back = Promise.withResolvers<void>()
  const service = await supervise(options({ onDeath: (how) => deaths.push(how), onRestart: () => back.resolve() }))
  const before = { ...service.info, pid: service.pid }
  service.kill()
  await back.promise
  expect(deaths).toEqual(['killed by SIGKILL'])
  expect(service.info.port).toBe(before.port)
  expect(service.pid).not.toBe(before.pid)
  await expect.poll(() => isPortFree(before.childPort)).toBe(true)
  const { childPort } = service.info
  await service.stop()
  await expect.poll(() => isPortFree(before.port)).toBe(true)
  await expect.poll(() => isPortFree(childPort)).toBe(true)
})

test('behavior: what a service wrote is in the error, also when it is read after its end', async () => {
  const script = 'process.stderr.write("x\\n".repeat(40_000)); throw new Error("no luck")'
  const launch = () => ({ command: process.execPath, args: ['-e', script], env: process.env })
  const watch = (pid: number): void => {
    reaper.watch(pid)
    // This process does nothing until the service has ended.
    while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
  }
  await expect(supervise(options({ launch, reaper: { ...reaper, watch } }))).rejects.toThrow(
    /exit code 1[\s\S]*no luck/,
  )
})

test('error: a service that ends at once fails the start with its log', async () => {
  const launch = () => ({ command: process.execPath, args: ['-e', 'throw new Error("no luck")'], env: process.env })
  await expect(supervise(options({ launch }))).rejects.toThrow(/service did not start: exit code 1[\s\S]*no luck/)
})

test('error: a service that never reports ready fails the start', async () => {
  const launch = () => ({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 9)'], env: process.env })
  await expect(supervise(options({ launch, startTimeoutMs: 300 }))).rejects.toThrow('not ready after 0.3 s')
})
