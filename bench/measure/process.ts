import { readFileSync, writeFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100
const KIBIBYTE = 1024

/** Processor seconds, user and system, that a process has used, as Linux counts them. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the name in brackets and may hold anything; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
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
