import { createRandom } from '../../dev/engines/random.ts'

/** Everything random of a run, from its seed: the same seed makes the same requests. */
export interface Random {
  /** True in `share` of all cases. */
  is(share: number): boolean
  /** A whole number from `min` to `max`. */
  int(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** One of any list; undefined when it is empty. */
  some<Item>(items: readonly Item[]): Item | undefined
}

export function makeRandom(seed: number): Random {
  const next = createRandom(seed)
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    is: (share) => next() < share,
    int,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    some: (items) => items[int(0, items.length - 1)],
  }
}
