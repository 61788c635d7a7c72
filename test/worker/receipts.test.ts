import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { makeNoticeMails } from "#worker/notices/make-mails.ts";
import { servicesFor } from "#worker/services.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { mailsTo, mailTo } from "../support/mails.ts";
import { newAddress, unsubscribeTokenIn } from "../support/notices.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { finish, textFile } from "../support/transfers.ts";
import { answerOf, Client, rowOf, runSql, sha256Of, signUp } from "../support/worker.ts";

const services = servicesFor(env);
const anybody = new Client();
const FILES = [textFile("trip/a.txt", "first"), textFile("trip/b.txt", "second")];

let owner: Awaited<ReturnType<typeof signUp>>;
let request: { link: string };
let email: string;

beforeEach(async () => {
  await runSql("delete from notice_events");
  owner = await signUp();
  request = await createRequest(owner, { notify: "off", mostTransfers: 20 });
  email = newAddress("sender");
});

/** @returns how many mails the cron made, so many minutes from now */
const makeAfter = (minutes: number) => makeNoticeMails(services, Date.now() + minutes * MINUTE_MS);
const send = (address = email, files = FILES) => new Sender(request).send(files, { senderEmail: address });

/** One receipt. @returns its token */
async function firstToken(): Promise<string> {
  await send();
  await makeAfter(6);
  return unsubscribeTokenIn(await mailTo(email));
}

const change = (token: string, what: string) => answerOf(anybody.post(`/api/unsubscribe/${token}`, { what }));
const infoOf = (token: string) => answerOf(anybody.fetch(`/api/unsubscribe/${token}`));

describe("a receipt", () => {
  it("names no file to an address that nobody has confirmed [NOTE-9]", async () => {
    const { downloadId } = await new Sender(request).send(FILES, {
      senderEmail: email,
      senderName: "Buy pills",
      note: "Cheap pills",
      title: "Pills at pills.example",
    });
    await makeAfter(6);
    const { subject, text, html } = await mailTo(email);
    expect(subject).toBe("Your files have arrived");
    expect(text).toContain("2 files, 11 Bytes, on ");
    expect(text).toContain("Confirm this address");
    for (const hidden of ["trip", "a.txt", "pills", "Pills", "SHA-256", downloadId, owner.email]) {
      expect(subject + text + html).not.toContain(hidden);
    }
  });

  it("has a link in its foot and the headers of one click, by which it is stopped [NOTE-6]", async () => {
    const token = await firstToken();
    const mail = await mailTo(email);
    expect(JSON.parse(mail.headers ?? "")).toEqual({
      "List-Unsubscribe": `<http://localhost:8787/unsubscribe/${token}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(mail.text).toContain(`Get no more mail like this\nhttp://localhost:8787/unsubscribe/${token}\n`);
    expect(token).not.toContain(email);

    const page = await (await anybody.fetch(`/unsubscribe/${token}`)).text();
    for (const text of ["No more receipts", "This is my address: name the files"]) expect(page).toContain(text);
    expect(await infoOf(token)).toEqual([200, { email: null, sender: null, stopped: "nothing", confirmed: false }]);
    const stopped = await anybody.fetch(`/unsubscribe/${token}`, {
      method: "POST",
      headers: { origin: "https://mail.example", "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(stopped.status).toBe(200);
    expect((await infoOf(token))[1]).toMatchObject({ stopped: "sender" });

    // Whoever gives the address, however it is written, in whosever request.
    request = await createRequest(await signUp(), { notify: "off" });
    await send(email.toUpperCase());
    expect(await makeAfter(6)).toBe(0);
    expect(await mailsTo(email)).toHaveLength(1);
    expect((await change(token, "resume"))[1]).toMatchObject({ stopped: "nothing" });
    await send();
    expect(await makeAfter(6)).toBe(1);
    expect((await change(token, "all"))[1]).toMatchObject({ stopped: "all" });
    await send();
    expect(await makeAfter(6)).toBe(0);
  });

  it("names files and their checksums once the address was confirmed by a POST [NOTE-9]", async () => {
    const token = await firstToken();
    // Its page may be opened by a scanner, and receipts go on.
    await anybody.fetch(`/api/unsubscribe/${token}`);
    await send();
    await makeAfter(6);
    expect((await mailTo(email, 2)).text).not.toContain("trip");
    expect((await change(token, "confirm"))[1]).toEqual({
      email: null,
      sender: null,
      stopped: "nothing",
      confirmed: true,
    });
    await change(token, "confirm");
    await send();
    await makeAfter(6);
    const { text } = await mailTo(email, 3);
    expect(text).toContain("trip/b.txt");
    expect(text).toContain(await sha256Of(new TextEncoder().encode("second")));
    expect(text).not.toContain("Confirm this address");
    expect(text).not.toContain(owner.email);
    expect(text).not.toContain("/download/");
    // Another address is another matter.
    const other = newAddress("other");
    await send(other);
    await makeAfter(6);
    expect((await mailTo(other)).text).not.toContain("trip");
  });

  it("is one mail for all that was sent within five minutes, into any requests, and told once [NOTE-9]", async () => {
    const { downloadId } = await send();
    const sender = new Sender(request);
    await sender.send(FILES, { senderEmail: email.toUpperCase() });
    request = await createRequest(await signUp(), { notify: "off" });
    await send();
    await finish(sender, downloadId);
    expect(await makeAfter(4)).toBe(0);
    expect(await makeAfter(5)).toBe(1);
    const { subject, text } = await mailTo(email);
    expect(subject).toBe("Your files have arrived");
    expect(text.match(/2 files, 11 Bytes, on /g)).toHaveLength(3);
    expect(await makeAfter(20)).toBe(0);
  });

  it("comes to an address at most five times a day; the rest is one mail afterwards [NOTE-9]", async () => {
    const sendAndMake = async () => {
      await send(email, [textFile("a.txt", "x")]);
      return makeAfter(6);
    };
    const made = [];
    for (let count = 0; count < 7; count += 1) made.push(await sendAndMake());
    expect(made).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(await mailsTo(email)).toHaveLength(5);
    const other = newAddress("other");
    await send(other);
    expect(await makeAfter(6)).toBe(1);
    expect(await makeNoticeMails(services, Date.now() + DAY_MS)).toBe(0);
    expect(await makeNoticeMails(services, Date.now() + DAY_MS + 7 * MINUTE_MS)).toBe(1);
    const { text } = await mailTo(email, 6);
    expect(text.match(/1 file, 1 Bytes, on /g)).toHaveLength(2);
  });

  it("is in its reader's language", async () => {
    const reader = await signUp();
    await runSql("update users set locale = 'de' where id = ?", reader.id);
    await send(reader.email);
    await makeAfter(6);
    const { subject, text } = await mailTo(reader.email);
    expect(subject).toBe("Deine Dateien sind angekommen");
    expect(text).toContain("Adresse bestätigen");
  });
});

it("only a receipt's address is confirmed", async () => {
  const { uploadId } = await new Sender(request).send(FILES);
  await owner.post(`/api/received/${uploadId}/link`, {});
  const friend = newAddress();
  await owner.post(`/api/files/${uploadId}/share`, { email: friend });
  expect(await change(unsubscribeTokenIn(await mailTo(friend)), "confirm")).toMatchObject([
    400,
    { code: "BAD_REQUEST", field: "what", message: "Only the address of a receipt can be confirmed." },
  ]);
});

it("an address is kept as a digest, and forgotten a day after its last receipt unless it was confirmed", async () => {
  const token = await firstToken();
  const digest = token.split(".")[1] ?? "";
  const row = () =>
    rowOf("select confirmed_at is null as open, mails from receipt_addresses where address_digest = ?", digest);
  expect(await row()).toEqual({ open: 1, mails: 1 });
  await applyRetention(services, Date.now() + DAY_MS);
  expect(await row()).not.toBeNull();
  await applyRetention(services, Date.now() + DAY_MS + 7 * MINUTE_MS);
  await expect(row()).rejects.toThrow();
  await change(token, "confirm");
  await applyRetention(services, Date.now() + 30 * DAY_MS);
  expect(await row()).toEqual({ open: 0, mails: 0 });
});
