import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { fingerprint } from "#engine/fingerprint.ts";
import type { ChunkPorts, Ports } from "#engine/ports.ts";
import { AnsweringThread } from "./answering-thread.ts";
import { browserCalls } from "./browser-calls.ts";
import { browserOnline } from "./browser-online.ts";

/** What every upload of a page stands on. */
export const browserPorts: Ports & Pick<ChunkPorts, "calls"> = {
  calls: browserCalls,
  online: browserOnline,
  warn: (message) => {
    console.warn(message);
  },
  load: importWhenOnline,
  startReading: (signal) =>
    AnsweringThread.start(new Worker(new URL("./read-files.worker.ts", import.meta.url), { type: "module" }), signal),
  // Chromium fails the read of a file that has changed. Firefox hands out its new bytes without a word.
  versionOf: fingerprint,
  sealing: async () => (await importWhenOnline(() => import("./sealing-ports.client.ts"))).sealingPorts,
};
