import { EXPIRATION_LABELS } from "#domain/expiry.ts";

/** Labels by wire value. `forever` is `never` inside a sentence. */
export const expirations = {
  ...EXPIRATION_LABELS,
  forever: "forever",
  onDate: "On a date…",
  endLabel: "Ends on",
  endZone: "In your time zone ({zone})",
  endMissing: "Choose a date and a time.",
  endTooNear: "Choose a time at least a minute from now.",
  endTooFar: "On the {plan} plan, a link works for at most {longest}.",
} as const;
