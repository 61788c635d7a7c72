import { expect, it } from "vitest";
import { piecesOf } from "../../../cli/send/send-stream.ts";

/** Counts the chunks that were asked for. */
class Chunks implements AsyncIterable<Uint8Array> {
  asked = 0;
  readonly #lengths: number[];

  constructor(lengths: number[]) {
    this.#lengths = lengths;
  }

  async *[Symbol.asyncIterator]() {
    let next = 0;
    for (const length of this.#lengths) {
      this.asked += 1;
      yield await Promise.resolve(Uint8Array.from({ length }, () => (next += 1)));
    }
  }
}

async function cut(chunks: Chunks, sizeBytes: number): Promise<[number[], boolean][]> {
  const pieces: [number[], boolean][] = [];
  for await (const { bytes, isLast } of piecesOf(chunks, sizeBytes)) pieces.push([[...bytes], isLast]);
  return pieces;
}

it.each([
  ["nothing", [], [[[], true]]],
  ["less than a piece", [2], [[[1, 2], true]]],
  [
    "one piece exactly",
    [3],
    [
      [[1, 2, 3], false],
      [[], true],
    ],
  ],
  [
    "chunks that end inside of pieces",
    [2, 2, 0, 3],
    [
      [[1, 2, 3], false],
      [[4, 5, 6], false],
      [[7], true],
    ],
  ],
  [
    "a chunk of several pieces",
    [7],
    [
      [[1, 2, 3], false],
      [[4, 5, 6], false],
      [[7], true],
    ],
  ],
])("cuts %s into pieces of 3 bytes [CLI-18]", async (_, lengths, pieces) => {
  expect(await cut(new Chunks(lengths), 3)).toEqual(pieces);
});

it("reads nothing while a piece is used, and has one buffer for all pieces [CLI-18]", async () => {
  const chunks = new Chunks([2, 2, 2, 2]);
  const asked: number[] = [];
  const buffers = new Set<ArrayBufferLike>();
  for await (const { bytes } of piecesOf(chunks, 4)) {
    asked.push(chunks.asked);
    buffers.add(bytes.buffer);
  }
  expect(asked).toEqual([2, 4, 4]);
  expect(buffers.size).toBe(1);
});
