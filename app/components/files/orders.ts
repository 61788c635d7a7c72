import type { FileOrder } from "#domain/wire.ts";

/** The ways to order somebody's files, in words. */
export const FILE_ORDER_CHOICES = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["name", "By name"],
  ["largest", "Largest first"],
  ["expiry", "Ending soonest"],
] as const satisfies (readonly [FileOrder, string])[];
