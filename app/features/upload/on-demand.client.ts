import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/**
 * What the card loads on demand. In a script of its own: each import brings the names of all scripts that it needs, and
 * the page's first scripts hold those of this one alone.
 */
export const ON_DEMAND = {
  direct: async () => (await importWhenOnline(() => import("./browser/direct-upload.ts"))).directUpload,
  chunked: async () => (await importWhenOnline(() => import("./browser/chunked-upload.ts"))).chunkedUpload,
  transfer: async () => (await importWhenOnline(() => import("./transfer/current-transfer.ts"))).CurrentTransfer,
  chosenGuards: () => importWhenOnline(() => import("./chosen-protection.tsx")),
};
