import { DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import type { Wording } from "./wording.ts";

interface ExpirationChoice {
  expiration: Expiration;
  /** False for the untouched default, to which the rule for large files applies. */
  expirationChosen: boolean;
}

export const DEFAULT_CHOICE: ExpirationChoice = { expiration: DEFAULT_EXPIRATION, expirationChosen: false };

export interface ExpirationProps {
  wording: Wording;
  plan: PlanId;
  choice: ExpirationChoice;
  onChoice(choice: ExpirationChoice): void;
}
