import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import type { ReadRequest } from "#engine/read-messages.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import { answerRequests } from "./answering-thread.ts";

const reader = new ByteReader(wasmHashers);

answerRequests((request: ReadRequest) => reader.answer(request));
