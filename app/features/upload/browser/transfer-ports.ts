import { senderLive } from "#app/lib/live.ts";
import type { TransferPorts, RemovalStore } from "#engine/ports.ts";
import { browserPorts } from "./browser-ports.ts";
import { put } from "./put.ts";

/** An upload's id follows. */
const KEY = "removed-entries/";

/** Removals that outlive the tab. Where a browser keeps nothing for sites, they are sent all the same. */
const removalsInStorage: RemovalStore = {
  read(uploadId) {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(`${KEY}${uploadId}`) ?? "[]");
      return Array.isArray(value) ? value.filter((n) => typeof n === "number") : [];
    } catch {
      return [];
    }
  },
  write(uploadId, numbers) {
    try {
      if (numbers.length > 0) localStorage.setItem(`${KEY}${uploadId}`, JSON.stringify(numbers));
      else localStorage.removeItem(`${KEY}${uploadId}`);
    } catch {
      // As above.
    }
  },
};

/** Sends transfers for whoever is signed in. */
export const transferPorts = {
  ...browserPorts,
  put,
  live: senderLive,
  removals: removalsInStorage,
} satisfies TransferPorts;
