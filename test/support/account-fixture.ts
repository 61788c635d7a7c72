import { init } from "./chunked.ts";
import { SAMPLES } from "./samples.ts";
import { createRequest, Sender } from "./requests.ts";
import { sendTransfer, startTransfer, textFile } from "./transfers.ts";
import { addWebhook, ReceiverInbox } from "./webhooks.ts";
import { logInAdmin, rowOf, runSql, sendFile, signUp, type Client } from "./worker.ts";

/** A user with one of everything that a user can own. */
export interface AccountFixture {
  owner: Client & { email: string; id: string };
  sessionId: string;
  deviceId: string;
  passkeyId: string;
  fileId: string;
  /** Of the file's link. */
  recipientId: string;
  downloadId: string;
  filename: string;
  /** Unfinished uploads, direct and chunked. */
  upload: { uploadId: string; downloadId: string };
  chunkedId: string;
  /** Of two files, finished. */
  transfer: { fileId: string; downloadId: string };
  /** An unfinished transfer whose object 0 has one part, of five bytes. */
  startedTransfer: { fileId: string; downloadId: string };
  /** For text alone, with one transfer that has come. */
  requestId: string;
  requestToken: string;
  receivedId: string;
  keyId: string;
  /** With one delivery, a ping. */
  webhookId: string;
  deliveryId: string;
  messageId: string;
  reportId: string;
  /** The case of the report. */
  caseId: string;
  seoId: string;
  pageId: string;
}

export async function createAccountFixture(): Promise<AccountFixture> {
  const owner = await signUp();
  const filename = `secret-${crypto.randomUUID()}.txt`;
  // No other fixture has these bytes: what is taken down of one must not come back in another.
  const { uploadId: fileId, downloadId } = await sendFile(owner, `the owner's words ${crypto.randomUUID()}`, {
    filename,
  });
  const upload = await owner.startUpload(5, { filename });
  const { uploadId: chunkedId } = await init(owner, 5, { filename });
  const transfer = await sendTransfer(owner, [textFile(filename), textFile(`folder/${filename}`)]);
  const startedTransfer = await startTransfer(owner, [textFile(filename, "hello")], {
    open: [{ object: 0, runs: [[0, 1]] }],
  });
  const request = await createRequest(owner, { kinds: ["txt"], notify: "off" });
  const sender = new Sender(request);
  const received = await sender.send([textFile(filename)]);
  const keyId = crypto.randomUUID();
  // Made without its mail, which the page of the local mailbox would show.
  await runSql(
    `insert into api_keys (id, user_id, name, key_hash, last_four, scopes, created_at, source)
     values (?1, ?2, 'A program', ?1, 'abcd', '["upload"]', 0, 'page')`,
    keyId,
    owner.id,
  );
  const recipientId = crypto.randomUUID();
  // Its mail would be on the page of the local mailbox, too.
  await runSql(
    "insert into recipients (id, transfer_id, email, token, sent_at) values (?1, ?2, ?3, ?1, 0)",
    recipientId,
    fileId,
    `friend-${recipientId}@example.com`,
  );
  const passkeyId = crypto.randomUUID();
  await runSql(
    `insert into passkeys (id, user_id, credential_id, public_key, algorithm, transports, aaguid, name, created_at)
     values (?1, ?2, ?1, '', -7, '[]', '', 'A passkey', 0)`,
    passkeyId,
    owner.id,
  );
  // Disconnecting needs no settings of the provider.
  await runSql(
    "insert into accounts (id, user_id, provider_id, account_id, created_at, updated_at) values (?1, ?2, 'club', ?1, 0, 0)",
    crypto.randomUUID(),
    owner.id,
  );
  const webhook = await addWebhook(owner, new ReceiverInbox().url, ["transfer.deleted"]);
  const ping = await owner.post(`/api/webhooks/${webhook.id}/ping`, {});
  await owner.post("/api/contact", { ...SAMPLES.message, email: owner.email });
  await owner.post(`/api/files/download/${downloadId}/report`, { reason: "other", email: owner.email });
  const root = await logInAdmin();
  const created = async (path: string, body: unknown) =>
    (await (await root.post(path, body)).json<{ id: string }>()).id;
  const idOf = async (sql: string, value: string) => (await rowOf<{ id: string }>(sql, value)).id;
  return {
    owner,
    fileId,
    recipientId,
    downloadId,
    filename,
    upload,
    chunkedId,
    transfer: { fileId: transfer.uploadId, downloadId: transfer.downloadId },
    startedTransfer: { fileId: startedTransfer.uploadId, downloadId: startedTransfer.downloadId },
    requestId: request.id,
    requestToken: sender.token,
    receivedId: received.uploadId,
    webhookId: webhook.id,
    deliveryId: (await ping.json<{ id: string }>()).id,
    sessionId: await idOf("select id from sessions where user_id = ?", owner.id),
    deviceId: await idOf("select id from devices where user_id = ?", owner.id),
    passkeyId,
    keyId,
    messageId: await idOf("select id from contact_submissions where email = ?", owner.email),
    reportId: await idOf("select id from file_reports where file_id = ?", fileId),
    caseId: await idOf("select id from cases where file_id = ?", fileId),
    seoId: await created("/api/seo", { ...SAMPLES.seo, page: `/${owner.id}` }),
    pageId: await created("/api/content", { ...SAMPLES.page, slug: owner.id }),
  };
}
