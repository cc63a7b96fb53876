import { type Accessor, createSignal, onCleanup } from 'solid-js'

/** A block is up to some seconds old when it is read; only a difference beyond that is one of the clocks. */
const MOST_BLOCK_AGE_SECONDS = 30

/** Unix seconds. */
export const deviceClock = (): number => Math.floor(Date.now() / 1_000)

export interface ChainClock {
  /** The chain's time, Unix seconds; changes each second. */
  now: Accessor<number>
  /** This device's time, Unix seconds; changes each second. */
  deviceNow: Accessor<number>
  /** Continues from the time of the newest block. */
  follow(timestamp: number): void
}

/** The chain's clock, from which that of the device may differ: contracts decide by the chain's. */
export function createChainClock(): ChainClock {
  let ahead = 0
  const [deviceNow, setDeviceNow] = createSignal(deviceClock())
  const [now, setNow] = createSignal(deviceClock())
  const tick = (): void => {
    setDeviceNow(deviceClock())
    setNow(deviceClock() + ahead)
  }
  const timer = setInterval(tick, 1_000)
  onCleanup(() => clearInterval(timer))
  return {
    now,
    deviceNow,
    follow(timestamp) {
      const difference = timestamp - deviceClock()
      ahead = Math.abs(difference) > MOST_BLOCK_AGE_SECONDS ? difference : 0
      tick()
    },
  }
}
