import { ByteReader } from "./read-bytes.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";

/** Each answer repeats the number of its request. */
export interface NumberedAnswer {
  id: number;
  answer: ReadAnswer;
}

const reader = new ByteReader();

addEventListener("message", ({ data }: MessageEvent<{ id: number; request: ReadRequest }>) => {
  reader.answer(data.request).then((answer) => {
    postMessage({ id: data.id, answer } satisfies NumberedAnswer);
  }, reportError);
});

// The page may ask from now on.
postMessage(null);
