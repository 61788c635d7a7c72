import * as z from "zod/mini";
import { emailAddress } from "../email-address.ts";
import { messageName } from "../field-messages.ts";

export const testEmailRequest = z.object({
  email: emailAddress(messageName("emailInvalid")),
});

export interface HealthCheck {
  ok: boolean;
  /** Response time in milliseconds. */
  ms: number;
}

export type HealthCheckName =
  "database" | "storage" | "durableObjects" | "queues" | "cron" | "chores" | "mail" | "orphans" | "scanner";

/** The database is filling up (decision 052). */
export interface HealthWarning {
  what: "database";
  /** The size of the database, in percent of its limit. */
  percent: number;
  /** Days until the database is full; null if unknown, or if it does not grow. */
  daysLeft: number | null;
}

export interface Health {
  ok: boolean;
  /** The results of the checks. While the database does not answer, the checks that read rows are missing. */
  checks: Partial<Record<HealthCheckName, HealthCheck>>;
  warnings: HealthWarning[];
}
