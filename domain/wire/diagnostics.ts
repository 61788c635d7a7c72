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

export type HealthCheckName = "database" | "storage" | "durableObjects" | "cron" | "chores" | "mail" | "orphans";

export interface Health {
  ok: boolean;
  /** Without a database, those that read rows are missing. */
  checks: Partial<Record<HealthCheckName, HealthCheck>>;
}
