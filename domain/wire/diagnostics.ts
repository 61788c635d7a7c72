import * as z from "zod/mini";
import { emailAddress } from "../email-address.ts";
import { messageName } from "../field-messages.ts";

export const testEmailRequest = z.object({
  email: emailAddress(messageName("emailInvalid")),
});
