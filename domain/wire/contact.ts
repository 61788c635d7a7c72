import * as z from "zod/mini";
import { emailAddress } from "../email-address.ts";
import { messageName } from "../field-messages.ts";

const contactText = (tooShort: string, tooLong: string, min: number, max: number) =>
  z.string(tooShort).check(z.trim(), z.minLength(min, tooShort), z.maxLength(max, tooLong));

export const CONTACT_MESSAGE_MAX_LENGTH = 1000;

export const contactRequest = z.object({
  name: contactText(messageName("nameShort"), messageName("nameLong"), 2, 100),
  email: emailAddress(messageName("emailWrong")),
  subject: contactText(messageName("subjectShort"), messageName("subjectLong"), 3, 200),
  message: contactText(messageName("messageShort"), messageName("messageLong"), 10, CONTACT_MESSAGE_MAX_LENGTH),
});
export type ContactRequest = z.infer<typeof contactRequest>;
