/**
 * Measures two sides in turn, the order changing each round, so that what the machine does meanwhile hits both alike.
 * Returns the samples of each side, one per round.
 */
export async function alternate<Ours, Peer>(
  rounds: number,
  ours: () => Promise<Ours>,
  peers: () => Promise<Peer>,
): Promise<{ ours: Ours[]; peers: Peer[] }> {
  const samples: { ours: Ours[]; peers: Peer[] } = { ours: [], peers: [] }
  const takeOurs = async (): Promise<number> => samples.ours.push(await ours())
  const takePeers = async (): Promise<number> => samples.peers.push(await peers())
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [takeOurs, takePeers] : [takePeers, takeOurs]
    for (const take of order) await take()
  }
  return samples
}
