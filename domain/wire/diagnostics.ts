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

export interface Health {
  ok: boolean;
  checks: { database: HealthCheck; storage: HealthCheck; durableObjects: HealthCheck };
}
