import { AnsweringThread } from "#app/features/upload/browser/answering-thread.ts";
import { putByXhr } from "#app/features/upload/browser/xhr-put.ts";
import { whenOnline } from "#app/features/upload/browser/when-online.ts";
import type { DirectPorts } from "#engine/ports.ts";
import { fingerprint } from "#engine/upload-source.ts";
import { engineCalls } from "../cli/net/engine-calls.ts";
import type { V1 } from "../cli/net/v1.ts";

/**
 * The engine's ports in Thunderbird, which has what a browser has. Attachments are not encrypted: Thunderbird shows the
 * link of an attachment before the person could learn that its key is part of it.
 * @param fresh whether the upload starts anew instead of resuming an unfinished one
 */
export function addOnPorts(v1: V1, fresh: boolean): DirectPorts {
  return {
    // Only encrypted uploads need the key's name and an opened seal.
    calls: engineCalls(v1, { keyId: "", fresh, unlock: refuse }),
    online: { isOnline: () => navigator.onLine, whenOnline, awaited: "Thunderbird is online" },
    put: (...args) => putByXhr(v1.headers, ...args),
    // A WebSocket of a page sends no key.
    live: null,
    warn: (message) => console.warn(message),
    load: (load) => load(),
    startReading: (signal) =>
      AnsweringThread.start(
        new Worker(new URL("../app/features/upload/browser/read-files.worker.ts", import.meta.url), { type: "module" }),
        signal,
      ),
    // Attachments are few, and a message shows no wall.
    pictures: null,
    versionOf: fingerprint,
    sealing: refuse,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("the add-on encrypts nothing"));
}
