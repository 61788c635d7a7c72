/**
 * Why the administrator looks at something. `report`: somebody reported a link. `scan`: the scanner found something.
 * `blocked`: an upload had a sum of the block list. `unusual`: a new account's link reached a limit. `objection`: an
 * owner or reporter objects to a decision.
 */
export const CASE_KINDS = ["report", "scan", "blocked", "unusual", "objection"] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

/**
 * How a case was closed. `dismissed`: nothing was done. `allowed`: the link may go on. `taken-down`: the link ended.
 * `suspended` and `restored`: what became of the account. `upheld`: an objection changed nothing.
 */
export const CASE_OUTCOMES = ["dismissed", "allowed", "taken-down", "suspended", "restored", "upheld"] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

/** What a case says about its reason: short texts and numbers, which the queue shows. Never the content of a file. */
export type CaseDetail = Record<string, string | number | boolean | null>;
