import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { ByteReader } from "#engine/transfer/read-bytes.ts";
import type { ReadAnswer, ReadRequest } from "#engine/transfer/read-messages.ts";
import type { NumberedAnswer } from "./answering-thread.ts";

const reader = new ByteReader(wasmHashers);

addEventListener("message", ({ data }: MessageEvent<{ id: number; request: ReadRequest }>) => {
  reader.answer(data.request).then((answer) => {
    postMessage({ id: data.id, answer } satisfies NumberedAnswer<ReadAnswer>);
  }, reportError);
});

// The page may ask from now on.
postMessage(null);
