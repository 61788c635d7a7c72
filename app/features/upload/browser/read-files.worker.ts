import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { ByteReader } from "#engine/transfer/read-bytes.ts";
import type { ReadRequest } from "#engine/transfer/read-messages.ts";
import { answerRequests } from "./answering-thread.ts";

const reader = new ByteReader(wasmHashers);

answerRequests((request: ReadRequest) => reader.answer(request));
