import type { RequestContext } from "../context.ts";
import { noteOpenedBy } from "../db/recipients.ts";
import { atPrimary } from "../db/replicas.ts";
import { recipientTokenOf } from "../links/open-link.ts";
import { logError } from "../log.ts";

/** Notes behind the answer that a recipient asked for their link's page. Its owner's visit is nobody's. */
export function noteOpening({ request, services, currentUser }: RequestContext, downloadId: string, now: number): void {
  const token = recipientTokenOf(request);
  if (token === null) return;
  const note = async () => {
    const viewer = await currentUser();
    await atPrimary(() => noteOpenedBy(services.db, { downloadId, token, viewerId: viewer?.id ?? null }, now));
  };
  services.waitUntil(note().catch((error: unknown) => logError("recipient.opening_not_noted", error)));
}
