import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";

export const testEmailRequest = z.object({
  email: z
    .string(messageName("emailInvalid"))
    .check(z.trim(), z.maxLength(254, messageName("emailInvalid")), z.email(messageName("emailInvalid"))),
});
