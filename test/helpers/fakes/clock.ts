/** A clock that stands until it is moved. */
export function makeFakeClock(start = '2026-11-27T12:00:00.000Z') {
  let time = Date.parse(start)
  return {
    now: (): Date => new Date(time),
    set(to: string | Date): void {
      time = new Date(to).getTime()
    },
    advance(ms: number): void {
      time += ms
    },
  }
}
