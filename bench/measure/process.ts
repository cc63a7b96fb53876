import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const KIBIBYTE = 1024
const NS_PER_SECOND = 1e9

/** Processor seconds that the threads of a process have used, as the scheduler counts them, in nanoseconds. */
export function cpuSeconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const spent = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
  return spent.reduce((a, b) => a + b, 0) / NS_PER_SECOND
}

function statusBytes(pid: number, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1]) * KIBIBYTE
}

/** Bytes of memory a process holds now. */
export const memoryBytes = (pid: number): number => statusBytes(pid, 'VmRSS')

/** The most bytes of memory a process held since `forgetPeak`. */
export const peakMemoryBytes = (pid: number): number => statusBytes(pid, 'VmHWM')

/** Resets `peakMemoryBytes`. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
