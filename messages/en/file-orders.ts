import type { FileOrder } from "#domain/wire.ts";

export const fileOrders = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "By name",
  largest: "Largest first",
  expiry: "Expiring soonest",
} as const satisfies Record<FileOrder, string>;
