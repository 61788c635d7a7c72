import { beforeEach, describe, expect, it } from "vitest";
import { mailsTo, mailTo } from "../support/mails.ts";
import { newAddress, unsubscribeTokenIn } from "../support/notices.ts";
import { answerOf, Client, rowOf, sendFile, signUp } from "../support/worker.ts";

const ONE_CLICK = "List-Unsubscribe=One-Click";
const anybody = new Client();

let sender: Awaited<ReturnType<typeof signUp>>;
let fileId: string;
let email: string;
let token: string;

const share = (person: Client, id: string) => answerOf(person.post(`/api/files/${id}/share`, { email }));

beforeEach(async () => {
  sender = await signUp();
  fileId = (await sendFile(sender, "hello")).uploadId;
  email = newAddress();
  await share(sender, fileId);
  token = unsubscribeTokenIn(await mailTo(email));
});

/** As RFC 8058 says: from anywhere, without cookies, in either type of form. */
function postOneClick(type: "urlencoded" | "multipart" = "urlencoded", address = token): Promise<Response> {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  return anybody.fetch(`/unsubscribe/${address}`, {
    method: "POST",
    headers: {
      origin: "https://mail.example",
      "sec-fetch-site": "cross-site",
      ...(type === "urlencoded" && { "content-type": "application/x-www-form-urlencoded" }),
    },
    body: type === "urlencoded" ? ONE_CLICK : form,
  });
}

const infoOf = (address = token) => answerOf(anybody.fetch(`/api/unsubscribe/${address}`));

describe("a mail that was not asked for", () => {
  it("has the headers of one click, and the same link in its foot [NOTE-6]", async () => {
    const mail = await mailTo(email);
    expect(JSON.parse(mail.headers ?? "")).toEqual({
      "List-Unsubscribe": `<http://localhost:8787/unsubscribe/${token}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(mail.text).toContain(`Get no more mail like this\nhttp://localhost:8787/unsubscribe/${token}\n`);
    expect(mail.html).toContain(`href="http://localhost:8787/unsubscribe/${token}"`);
  });
});

describe("one click", () => {
  it.each(["urlencoded", "multipart"] as const)("stops the sender at once: %s [NOTE-6]", async (type) => {
    expect((await postOneClick(type)).status).toBe(200);
    expect(await share(sender, fileId)).toEqual([
      200,
      { message: `${email} wants no more mail.`, sent: 0, refused: [email] },
    ]);
    expect(await mailsTo(email)).toHaveLength(1);
    const { recipients } = await (
      await sender.fetch(`/api/files/${fileId}/recipients`)
    ).json<{
      recipients: { refusesMail: boolean }[];
    }>();
    expect(recipients[0]?.refusesMail).toBe(true);
  });

  it("leaves other senders, and others of the same call", async () => {
    await postOneClick();
    const other = await signUp();
    const file = await sendFile(other, "hello");
    expect((await share(other, file.uploadId))[1]).toMatchObject({ sent: 1, refused: [] });
    await mailTo(email, 2);
    const friend = newAddress();
    const answer = await answerOf(sender.post(`/api/files/${fileId}/share`, { emails: [friend, email] }));
    expect(answer[1]).toMatchObject({ sent: 1, refused: [email] });
    await mailTo(friend);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  it("remembers a digest, not the address [NOTE-6]", async () => {
    await postOneClick();
    const row = await rowOf<{ address_digest: string }>("select * from mail_stops where user_id = ?", sender.id);
    expect(row.address_digest).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain(email);
  });

  it("is refused for another token, and without the words of RFC 8058", async () => {
    const [kind, id, mac = ""] = token.split(".");
    const wrong = `${kind}.${id}.${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`;
    expect((await postOneClick("urlencoded", wrong)).status).toBe(404);
    expect((await postOneClick("urlencoded", "x")).status).toBe(404);
    const post = async (body: string, type = "application/x-www-form-urlencoded") =>
      (await anybody.fetch(`/unsubscribe/${token}`, { method: "POST", headers: { "content-type": type }, body }))
        .status;
    expect(await post("")).toBe(400);
    expect(await post("List-Unsubscribe=Two-Clicks")).toBe(400);
    expect(await post("{}", "application/json")).toBe(415);
    expect(await infoOf()).toEqual([200, { email, sender: sender.email, stopped: "nothing" }]);
  });
});

describe("the page's calls", () => {
  it("looking changes nothing [NOTE-6]", async () => {
    await anybody.fetch(`/unsubscribe/${token}`);
    expect(await infoOf()).toEqual([200, { email, sender: sender.email, stopped: "nothing" }]);
    expect((await infoOf("files.x.y"))[0]).toBe(404);
    expect((await share(sender, fileId))[1]).toMatchObject({ sent: 1 });
  });

  it("stop one sender, all mail, and neither again [NOTE-6]", async () => {
    const change = (what: string) => answerOf(anybody.post(`/api/unsubscribe/${token}`, { what }));
    expect((await change("sender"))[1]).toMatchObject({ stopped: "sender" });
    expect((await change("all"))[1]).toMatchObject({ stopped: "all" });
    const other = await signUp();
    const { uploadId } = await sendFile(other, "hello");
    expect((await share(other, uploadId))[1]).toMatchObject({ sent: 0, refused: [email] });
    expect((await change("resume"))[1]).toMatchObject({ stopped: "nothing" });
    expect((await share(other, uploadId))[1]).toMatchObject({ sent: 1 });
    expect((await share(sender, fileId))[1]).toMatchObject({ sent: 1 });
    expect((await change("everything"))[0]).toBe(400);
  });

  it("a form without scripts goes back to the page", async () => {
    const response = await anybody.fetch(`/unsubscribe/${token}`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ what: "all" }),
    });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/unsubscribe/${token}`]);
    expect((await infoOf())[1]).toMatchObject({ stopped: "all" });
  });
});
