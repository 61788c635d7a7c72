import type { NumberedAnswer } from "../answering-thread.ts";
import { Sealer } from "./sealer.ts";
import type { SealAnswer, SealRequest } from "./seal-messages.ts";

const sealer = new Sealer();

addEventListener("message", ({ data }: MessageEvent<{ id: number; request: SealRequest }>) => {
  sealer.answer(data.request).then((answer) => {
    postMessage({ id: data.id, answer } satisfies NumberedAnswer<SealAnswer>);
  }, reportError);
});

// The page may ask from now on.
postMessage(null);
