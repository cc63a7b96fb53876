/**
 * Measures two sides in turn, the order changing each round, so that what the machine does meanwhile hits both alike.
 * Returns the samples of each side, one per round.
 */
export async function alternate<Ours, Theirs>(
  rounds: number,
  ours: () => Promise<Ours>,
  theirs: () => Promise<Theirs>,
): Promise<{ ours: Ours[]; theirs: Theirs[] }> {
  const samples: { ours: Ours[]; theirs: Theirs[] } = { ours: [], theirs: [] }
  const takeOurs = async (): Promise<number> => samples.ours.push(await ours())
  const takeTheirs = async (): Promise<number> => samples.theirs.push(await theirs())
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [takeOurs, takeTheirs] : [takeTheirs, takeOurs]
    for (const take of order) await take()
  }
  return samples
}
