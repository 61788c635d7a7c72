import { PRODUCT_NAME } from "#domain/brand.ts";
import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { ApiError } from "#engine/api-error.ts";
import { DirectUpload } from "#engine/direct-upload.ts";
import { rootCause, UploadError } from "#engine/errors.ts";
import { clientOf, findSignedIn, forgetSignedIn, refreshLimits, type SignedIn } from "./accounts.ts";
import type { AttachedFile, UploadAnswer } from "./host.ts";
import { addOnPorts } from "./ports.ts";
import { shownSize, t } from "./texts.ts";

/** A link of an attachment. Thunderbird forgets its attachments' ids when it ends, and so does the add-on. */
interface SentAttachment {
  id: string;
  account: SignedIn;
}

interface RunningUpload {
  name: string;
  file: File;
  /** Whether it starts anew instead of resuming an unfinished upload of the same file. */
  fresh: boolean;
  /** Null until the account is known. */
  upload: DirectUpload | null;
  isStopped: boolean;
}

const running = new Map<string, RunningUpload>();
const sent = new Map<string, SentAttachment>();

const nameOf = (accountId: string, fileId: number) => `${accountId}/${fileId}`;

const NO_EVENTS = {
  onStarted: () => undefined,
  onProgress: () => undefined,
  onTransport: () => undefined,
  onParts: () => undefined,
  onChunk: () => undefined,
  onFinishing: () => undefined,
};

/** Sends an attachment, and answers its link. The link lives as long as the account's links usually do. */
export async function sendAttachment(accountId: string, attached: AttachedFile): Promise<UploadAnswer> {
  const name = nameOf(accountId, attached.id);
  const file = renamed(attached);
  // The same file of another draft gets a link of its own: the deletion of one draft must not end the other's link.
  const fresh = [...running.values()].some((other) => isSameFile(other.file, file));
  const own: RunningUpload = { name, file, fresh, upload: null, isStopped: false };
  running.set(name, own);
  try {
    const account = await findSignedIn(accountId);
    return account ? await send(accountId, account, own) : { error: t("signInFirst") };
  } finally {
    running.delete(name);
  }
}

async function send(accountId: string, account: SignedIn, own: RunningUpload): Promise<UploadAnswer> {
  if (own.isStopped) return { aborted: true };
  const { name, file, fresh } = own;
  const v1 = clientOf(account.origin, account.key);
  const options = { expiration: DEFAULT_EXPIRATION, expirationChosen: false };
  own.upload = new DirectUpload(addOnPorts(v1, fresh), file, options, NO_EVENTS);
  try {
    const { id, shareUrl, expiresAt } = await own.upload.run();
    sent.set(name, { id, account });
    // The attachment is sent, so nobody has to know that the limits could not be read.
    refreshLimits(accountId, v1).catch(() => undefined);
    return { url: shareUrl, templateInfo: templateOf(account, expiresAt) };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return { aborted: true };
    return { error: await explain(error, accountId, account, file) };
  }
}

/** Stops an upload, and deletes what has arrived of it. */
export function abortUpload(accountId: string, fileId: number): void {
  const own = running.get(nameOf(accountId, fileId));
  if (!own) return;
  own.isStopped = true;
  own.upload?.cancel();
}

/**
 * Ends the link of an attachment that was taken off its draft.
 * @throws ApiError, TypeError when the site did not do it: Thunderbird then says that the deletion failed
 */
export async function deleteAttachment(accountId: string, fileId: number): Promise<void> {
  const name = nameOf(accountId, fileId);
  const attachment = sent.get(name);
  if (!attachment) return;
  const { id, account } = attachment;
  try {
    await clientOf(account.origin, account.key).call("deleteTransfer", { params: { id } });
  } catch (error) {
    // The link was deleted elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  sent.delete(name);
}

/** Renames the file behind the link of an attachment. The link stays the same. */
export async function renameAttachment(accountId: string, fileId: number, newName: string): Promise<UploadAnswer> {
  const attachment = sent.get(nameOf(accountId, fileId));
  if (!attachment) return { error: t("failed") };
  const { id, account } = attachment;
  try {
    const v1 = clientOf(account.origin, account.key);
    const { link } = await v1.call("changeTransfer", { params: { id }, body: { name: newName } });
    return link === null ? {} : { url: link };
  } catch (error) {
    return { error: wordsOf(error, account) };
  }
}

/** An attachment may have another name than its file. */
function renamed({ name, data }: AttachedFile): File {
  return data.name === name ? data : new File([data], name, { type: data.type, lastModified: data.lastModified });
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

function templateOf({ origin }: SignedIn, expiresAt: string | null): UploadAnswer["templateInfo"] {
  return {
    service_name: PRODUCT_NAME,
    service_url: origin,
    ...(expiresAt !== null && {
      download_expiry_date: {
        timestamp: Date.parse(expiresAt),
        format: { dateStyle: "long", timeStyle: "short" },
      },
    }),
  };
}

/** @returns why an upload failed, for the person. Forgets a key that has ended. */
async function explain(error: unknown, accountId: string, account: SignedIn, file: File): Promise<string> {
  const cause = rootCause(error);
  if (!(cause instanceof ApiError)) return wordsOf(error, account);
  if (cause.status === 401) {
    await forgetSignedIn(accountId);
    return t("signInAgain");
  }
  if (cause.body.code !== "PLAN_LIMIT_EXCEEDED" && cause.body.code !== "KEY_LIMIT") return cause.message;
  // Thunderbird learns the limits of now, and refuses the next attachment that is too large by itself.
  await refreshLimits(accountId, clientOf(account.origin, account.key)).catch(() => undefined);
  return t("tooLarge", file.name, shownSize(file.size), cause.message);
}

function wordsOf(error: unknown, { origin }: SignedIn): string {
  const cause = rootCause(error);
  if (cause instanceof ApiError) return cause.message;
  if (error instanceof UploadError && "message" in error.problem && error.problem.message !== "") {
    return error.problem.message;
  }
  const code = error instanceof UploadError && "code" in error.problem ? error.problem.code : null;
  if (code === "fileChanged") return t("fileChanged");
  const isLost = cause instanceof TypeError || (code !== null && /network|TimedOut/i.test(code));
  return isLost ? t("unreachable", new URL(origin).host) : t("failed");
}
