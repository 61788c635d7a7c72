import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import type { SealRequest } from "#engine/sealing/seal-messages.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import { answerRequests } from "./answering-thread.ts";

const sealer = new Sealer(wasmHashers);

answerRequests((request: SealRequest) => sealer.answer(request));
