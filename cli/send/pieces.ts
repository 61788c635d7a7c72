/** The next bytes of a stream. */
interface Piece {
  bytes: Uint8Array;
  /** Nothing follows. The last piece is shorter than the others, and may be empty. */
  isLast: boolean;
}

/**
 * Cuts a stream into pieces of one size. All pieces are in one buffer, so a piece is overwritten once the next one is
 * asked for; until then nothing is read.
 */
export async function* piecesOf(stream: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Piece> {
  const buffer = new Uint8Array(sizeBytes);
  let filled = 0;
  for await (const chunk of stream) {
    let taken = 0;
    while (taken < chunk.length) {
      const bytes = chunk.subarray(taken, taken + sizeBytes - filled);
      buffer.set(bytes, filled);
      taken += bytes.length;
      filled += bytes.length;
      if (filled < sizeBytes) continue;
      yield { bytes: buffer, isLast: false };
      filled = 0;
    }
  }
  yield { bytes: buffer.subarray(0, filled), isLast: true };
}
