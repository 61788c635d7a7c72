import { senderLive } from "#app/lib/live.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { browserPorts } from "./browser-ports.ts";
import { put } from "./put.ts";
import { removalsInStorage } from "./removals-in-storage.ts";

/** Of whoever is signed in. */
export const transferPorts: TransferPorts = {
  ...browserPorts,
  put,
  live: senderLive,
  removals: removalsInStorage,
};
