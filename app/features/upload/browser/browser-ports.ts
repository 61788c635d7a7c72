import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { ChunkPorts, Ports } from "#engine/ports.ts";
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
  sealing: async () => (await importWhenOnline(() => import("./sealing-ports.client.ts"))).sealingPorts,
};
