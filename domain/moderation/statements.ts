import { DAY_MS } from "../units.ts";

/** Decisions about which an owner or a reporter is mailed, and to which they may object. */
export const DECISIONS = ["suspended", "taken-down", "dismissed"] as const;
export type Decision = (typeof DECISIONS)[number];

/** Who was mailed: the owner of the account or file, or the person who reported the file. */
export const STATEMENT_READERS = ["owner", "reporter"] as const;
export type StatementReader = (typeof STATEMENT_READERS)[number];

/** On what a decision rests (EU Digital Services Act, article 17, paragraph 3). */
export const GROUNDS = ["terms", "law"] as const;
export type Ground = (typeof GROUNDS)[number];

/** How long the link to object works: at least six months (EU Digital Services Act, article 20, paragraph 1). */
export const OBJECTION_MS = 184 * DAY_MS;

/** How long a suspended account keeps its files, unless an administrator deletes the account earlier. */
export const SUSPENSION_MS = 30 * DAY_MS;
