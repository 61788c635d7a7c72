import { createCRC32, createSHA256 } from "hash-wasm";
import type { Hashers } from "#engine/ports.ts";

/** SHA-256 and CRC-32 in WebAssembly, because browsers have no hash that takes bytes piece by piece. */
export const wasmHashers: Hashers = { sha256: createSHA256, crc32: createCRC32 };
