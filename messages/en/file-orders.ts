import type { FileOrder } from "#domain/wire.ts";

/** The ways to order somebody's files. */
export const fileOrders = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "By name",
  largest: "Largest first",
  expiry: "Ending soonest",
} as const satisfies Record<FileOrder, string>;
