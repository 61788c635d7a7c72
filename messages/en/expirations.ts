import { EXPIRATION_LABELS } from "#domain/expiry.ts";

/** Labels by wire value. `forever` is `never` inside a sentence. */
export const expirations = { ...EXPIRATION_LABELS, forever: "forever" } as const;
