import { createCRC32, createSHA256 } from "hash-wasm";
import type { Hashers } from "#engine/ports.ts";

/** Sums that WebAssembly computes: browsers have none that take bytes piece by piece. */
export const wasmHashers: Hashers = { sha256: createSHA256, crc32: createCRC32 };
