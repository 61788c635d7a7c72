import * as z from "zod/mini";
import { readUserCode } from "../device-codes.ts";
import { messageName } from "../field-messages.ts";

/** As somebody types it. Parsed, it is the eight letters alone. */
export const userCodeRequest = z.object({
  userCode: z.pipe(z.pipe(z.string(), z.transform(readUserCode)), z.string(messageName("notUserCode"))),
});

/** The program that waits behind a code. */
export interface WaitingDevice {
  /** As the program calls its device. */
  name: string;
  /** Of the program, shortened, such as `198.51.100.0/24`. */
  address: string;
  /** When it asked: ISO 8601. */
  askedAt: string;
}
