import { SECOND_MS } from "#domain/units.ts";

/** How often an open page asks for what has happened. */
export const REFRESH_MS = 30 * SECOND_MS;
