import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { connectToStorage } from "./browser/connect-ahead.ts";

/**
 * Loads the scripts of an upload when the card needs them. This script is separate: an import names all scripts that it
 * needs, so the page's first scripts name this script alone.
 */
export const ON_DEMAND = {
  direct: async () => {
    const [{ DirectUpload }, { browserPorts }] = await Promise.all([
      importWhenOnline(() => import("#engine/direct-upload.ts")),
      importWhenOnline(() => import("./browser/browser-ports.ts")),
    ]);
    return (file: File, options: UploadOptions, events: UploadEvents) => {
      connectToStorage();
      return new DirectUpload(browserPorts, file, options, events);
    };
  },
  chunked: async () => (await importWhenOnline(() => import("./browser/chunked-upload.ts"))).chunkedUpload,
  transfer: async () => (await importWhenOnline(() => import("./transfer/current-transfer.ts"))).CurrentTransfer,
  endField: () => importWhenOnline(() => import("#app/ui/end-field.client.tsx")),
  chosenGuards: () => importWhenOnline(() => import("./chosen-protection.tsx")),
};
