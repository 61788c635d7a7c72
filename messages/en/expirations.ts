import { EXPIRATION_LABELS } from "#domain/expiry.ts";

/** How long a file lives, by the names that the choices have on the wire; and the last of them within a sentence. */
export const expirations = { ...EXPIRATION_LABELS, forever: "forever" } as const;
