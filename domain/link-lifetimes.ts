import { HOUR_MS } from "./units.ts";

/** How long mailed links work, milliseconds. The mails say so. */
export const RESET_LINK_TTL_MS = HOUR_MS;
export const VERIFICATION_LINK_TTL_MS = HOUR_MS;
