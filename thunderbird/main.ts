import { clientOf, findSignedIn, refreshLimits } from "./accounts.ts";
import { host } from "./host.ts";
import { sendPlainHeaders } from "./plain-headers.ts";
import { answerSettings, type Question } from "./sign-in.ts";
import { abortUpload, deleteAttachment, renameAttachment, sendAttachment } from "./uploads.ts";

/** The background page: it lives as long as Thunderbird runs. */

sendPlainHeaders();
host.cloudFile.onFileUpload.addListener(({ id }, file) => sendAttachment(id, file));
host.cloudFile.onFileUploadAbort.addListener(({ id }, fileId) => abortUpload(id, fileId));
host.cloudFile.onFileDeleted.addListener(({ id }, fileId) => deleteAttachment(id, fileId));
host.cloudFile.onFileRename.addListener(({ id }, fileId, name) => renameAttachment(id, fileId, name));
host.cloudFile.onAccountDeleted.addListener((accountId) => {
  // The account has left Thunderbird's settings: nobody could sign it out later.
  void answerSettings({ ask: "sign out", accountId }).catch(() => undefined);
});
// Only the add-on's own settings send messages.
host.runtime.onMessage.addListener((message) => answerSettings(message as Question));

void restore();

/** Thunderbird keeps no limits, and starts with accounts that are not configured. */
async function restore(): Promise<void> {
  for (const { id } of await host.cloudFile.getAllAccounts()) {
    const signedIn = await findSignedIn(id);
    if (!signedIn) continue;
    await host.cloudFile.updateAccount(id, { configured: true });
    // Without an answer, an upload says later what is wrong.
    await refreshLimits(id, clientOf(signedIn.origin, signedIn.key)).catch(() => undefined);
  }
}
