import { env } from "cloudflare:workers";
import { MINUTE_MS } from "#domain/units.ts";
import { mailsTo, mailTo, type StoredMail } from "./mails.ts";
import { download, newAddress, signUpVerified, tokenIn } from "./notices.ts";
import { Client, contentPath, runSql, sendFile } from "./worker.ts";

const visitor = new Client();

/** When everything that was noted until now is due. */
export const soon = () => Date.now() + 2 * MINUTE_MS;

/** Somebody who is told of the file that they have sent, plan.txt. */
export class NoticeOwner {
  readonly owner: Client & { email: string; id: string };
  readonly file: { uploadId: string; downloadId: string };

  private constructor(owner: NoticeOwner["owner"], file: NoticeOwner["file"]) {
    this.owner = owner;
    this.file = file;
  }

  /** Nobody else is to be told of anything then. */
  static async begin(): Promise<NoticeOwner> {
    await runSql("delete from notice_events");
    await runSql("update files set expires_at = null");
    const owner = await signUpVerified();
    return new NoticeOwner(owner, await sendFile(owner, "hello", { filename: "plan.txt" }));
  }

  fetchFile(more = "", by: Client = visitor): Promise<void> {
    return download(by, `${contentPath(this.file.downloadId)}${more}`, this.file.uploadId);
  }

  choose(settings: Record<string, unknown>): Promise<Response> {
    return this.owner.patch("/api/notices", settings);
  }

  /** Mails that they got. */
  async about(subject: string): Promise<StoredMail[]> {
    return (await mailsTo(this.owner.email)).filter((mail) => mail.subject === subject);
  }

  async events(): Promise<{ kind: string; count: number; mailed_at: number | null }[]> {
    const sql = "select kind, count, mailed_at from notice_events where transfer_id = ? order by rowid";
    const { results } = await env.DB.prepare(sql)
      .bind(this.file.uploadId)
      .all<{ kind: string; count: number; mailed_at: number | null }>();
    return results;
  }

  /** Mails the file's link to somebody new. */
  async mailLink(): Promise<{ email: string; token: string }> {
    const email = newAddress("ann");
    await this.owner.post(`/api/files/${this.file.uploadId}/share`, { email });
    return { email, token: tokenIn((await mailTo(email)).text) };
  }
}
