import { DAY_MS } from "../units.ts";

/** An account younger than this has not earned trust (decision 059). */
export const NEW_ACCOUNT_MS = DAY_MS;

/**
 * An account younger than this counts as new as long as a report of its links is open. Older accounts do not: a
 * stranger could stop the links of any account by reporting one of them.
 */
export const REPORTED_ACCOUNT_MS = 30 * DAY_MS;
