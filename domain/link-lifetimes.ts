import { HOUR_MS } from "./units.ts";

/** How long mailed links work, milliseconds. `worker/mail/messages/account.tsx` says "one hour" in words. */
export const RESET_LINK_TTL_MS = HOUR_MS;
export const VERIFICATION_LINK_TTL_MS = HOUR_MS;
