import { AppError } from "#domain/errors.ts";
import type { Services } from "../context.ts";
import { testMessage } from "../mail/messages/diagnostic.tsx";

/**
 * Sends a mail now, so that its failure shows at once.
 * @throws AppError TEST_MAIL_FAILED when the provider did not take it
 */
export async function sendTestEmail({ outbox }: Services, email: string): Promise<{ message: string }> {
  try {
    await outbox.sendNow(testMessage(email));
  } catch (error) {
    console.error({ event: "mail.test_failed", error: String(error) });
    throw new AppError("TEST_MAIL_FAILED");
  }
  return { message: "The test email was sent successfully. Check the specified inbox." };
}
