import { AppError } from "#domain/errors.ts";
import type { SenderFields } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { checkKind } from "../callers/request-bounds.ts";
import { keptFor } from "../requests/describe.ts";
import { requirePassword, senderOf, tellOfStart, type OpenedRequest } from "../requests/open-request.ts";
import { startTus, type StartedTus, type StartTusRequest } from "./start-tus.ts";

/** What a sender says of a file, and of themselves. */
export type SendingStart = Pick<StartTusRequest, "filename" | "fileType" | "fileSize" | "isOpenEnded" | "metadata"> & {
  sender: SenderFields;
  /** Null where none was given. */
  password: string | null;
};

/**
 * Starts an upload into a request: its bounds, its owner's quota, and the limits of what senders start on its page.
 * What is refused is not logged, because strangers must not fill the log of somebody else.
 * @param now epoch milliseconds
 * @throws AppError LINK_LOCKED, LINK_PASSWORD_WRONG, RATE_LIMITED, BAD_REQUEST for what the owner asks for, KIND_REFUSED,
 *   REQUEST_FULL, REQUEST_CLOSED, STORAGE_UNAVAILABLE; nothing stays
 */
export async function startSendingByTus(
  context: RequestContext,
  request: OpenedRequest,
  { sender, password, ...file }: SendingStart,
  now: number,
): Promise<StartedTus> {
  const { services } = context;
  const { token, plan, mostBytes, receivedBytes } = request;
  if (request.passwordHash !== null && password === null) throw new AppError("LINK_LOCKED", { guard: "password" });
  await requirePassword(context, request, password ?? "");
  const uploader = senderOf(context, request, null, sender);
  checkKind(uploader.request, file.filename);
  // The first byte needs room.
  if (file.isOpenEnded && mostBytes !== null && receivedBytes >= mostBytes) throw new AppError("REQUEST_FULL");
  const kept = { expiration: keptFor(request, plan), expirationChosen: true };
  const into = { transferLabel: null, requestToken: token };
  const started = await startTus(services, uploader, { ...file, ...kept, ...into }, Promise.resolve(), now);
  tellOfStart(services, request, { transferId: started.file.id, title: file.filename, bytes: file.fileSize, at: now });
  return started;
}
