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
    const message: NumberedAnswer = { id: data.id, answer };
    // The buffer itself goes over, not a copy of it.
    postMessage(message, { transfer: [answer.bytes] });
  }, reportError);
});

// The page may ask from now on.
postMessage(null);
