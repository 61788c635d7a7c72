import type { NumberedAnswer } from "../answering-thread.ts";
import { ByteReader } from "./read-bytes.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";

const reader = new ByteReader();

addEventListener("message", ({ data }: MessageEvent<{ id: number; request: ReadRequest }>) => {
  reader.answer(data.request).then((answer) => {
    postMessage({ id: data.id, answer } satisfies NumberedAnswer<ReadAnswer>);
  }, reportError);
});

// The page may ask from now on.
postMessage(null);
