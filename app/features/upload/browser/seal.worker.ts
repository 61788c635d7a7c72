import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import type { SealAnswer, SealRequest } from "#engine/sealing/seal-messages.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import type { NumberedAnswer } from "./answering-thread.ts";

const sealer = new Sealer(wasmHashers);

addEventListener("message", ({ data }: MessageEvent<{ id: number; request: SealRequest }>) => {
  sealer.answer(data.request).then((answer) => {
    postMessage({ id: data.id, answer } satisfies NumberedAnswer<SealAnswer>);
  }, reportError);
});

// The page may ask from now on.
postMessage(null);
