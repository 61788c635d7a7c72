import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { randomBytes, wrapSecret, deriveLinkKeys } from "#domain/seal/keys.ts";
import type { ListedFile } from "#domain/wire.ts";
import { createRequestContext } from "#worker/context.ts";
import { createPageContext } from "#worker/load-context/page-context.ts";
import type { AccountFixture } from "../support/account-fixture.ts";
import { readHead } from "../support/documents.ts";
import { usedOf } from "../support/limited-links.ts";
import { Recipient } from "../support/recipient.ts";
import { listRoutes, isSocket, requestFor, ROUTES } from "../support/routes.ts";
import {
  accessHashOf,
  newKdf,
  openSeal,
  openStream,
  sendSealed,
  unlockSealed,
  unlockWith,
  type Sealer,
} from "../support/sealed-uploads.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, sendFile, signUp } from "../support/worker.ts";

const limitedWorker = workerWith({ ...env, RATE_LIMITS: "on" });
let addresses = 0;

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
});

/** From an address of its own, with rate limits. */
function newcomer(): Recipient {
  addresses += 1;
  const address = `203.0.113.${addresses}`;
  return new Recipient((request) => {
    request.headers.set("cf-connecting-ip", address);
    return limitedWorker(request);
  });
}

const link = (downloadId: string, end = "") => `/api/files/download/${downloadId}${end}`;

const LOCKED_CALLS = listRoutes().filter(
  (key) => /\/download\/:downloadId(\/|$)/.test(key) && ROUTES[key]?.guard === "locked",
);

async function refusalOf(answer: Promise<Response>): Promise<[number, unknown]> {
  const [status, { code }] = await answerOf(answer);
  return [status, code];
}

describe("a locked sealed link", () => {
  it.each(LOCKED_CALLS)("answers %s with 401 and what a browser needs to unlock it [SEAL-27]", async (key) => {
    const { downloadId, seal } = await sendSealed(await signUp(), { isLocked: true });
    const { path, init } = requestFor(key, { downloadId, transfer: { downloadId } } as AccountFixture);
    const headers = new Headers(init.headers);
    if (isSocket(key)) headers.set("upgrade", "websocket");
    expect(await answerOf(new Recipient().fetch(path, { ...init, headers }))).toEqual([
      401,
      {
        code: "LINK_LOCKED",
        guard: "sealed",
        salt: seal.salt,
        kdf: seal.kdf,
        message: "This link is encrypted end to end. Open the whole link: what stands behind its # is the key.",
      },
    ]);
  });

  it("gives its page the salt, and no name", async () => {
    const { downloadId, seal } = await sendSealed(await signUp());
    const request = new Request(`${env.APP_ORIGIN}/download/${downloadId}`);
    const pages = createPageContext(createRequestContext(request, env), { nonce: "" });
    expect(await pages.findDownload(downloadId)).toEqual({
      kind: "locked",
      status: 200,
      seal: { guard: "sealed", salt: seal.salt },
    });
  });

  it("tells nobody who lacks the link whether it was one file, once it has ended", async () => {
    const owner = await signUp();
    const { uploadId, downloadId } = await sendSealed(owner);
    await owner.delete(`/api/files/${uploadId}`);
    expect(await answerOf(new Recipient().fetch(link(downloadId)))).toEqual([
      410,
      { code: "FILE_EXPIRED", message: "What this link led to has been removed." },
    ]);
  });

  it("does not open with a wrong access, a password, or the hash that the server keeps [SEAL-27]", async () => {
    const { downloadId, seal } = await sendSealed(await signUp());
    const recipient = new Recipient();
    const refused = [403, "LINK_PASSWORD_WRONG"];
    expect(await refusalOf(unlockWith(recipient, downloadId, randomBytes(32)))).toEqual(refused);
    expect(await refusalOf(unlockWith(recipient, downloadId, randomBytes(31)))).toEqual(refused);
    expect(await refusalOf(recipient.unlock(downloadId, "a password"))).toEqual(refused);
    expect(await refusalOf(recipient.post(link(downloadId, "/unlock"), { access: seal.accessHash }))).toEqual(refused);
    expect((await recipient.content(downloadId)).status).toBe(401);
  });

  it("a link with a password alone does not open with an access", async () => {
    const { downloadId } = await sendFile(await signUp(), "plain", { guards: { password: "open sesame" } });
    expect(await refusalOf(unlockWith(new Recipient(), downloadId, randomBytes(32)))).toEqual([
      403,
      "LINK_PASSWORD_WRONG",
    ]);
  });
});

it.each([
  ["en", "Protected transfer", "Open it with what the sender gave you."],
  ["de", "Geschützte Übertragung", "Öffne sie mit dem, was du vom Absender bekommen hast."],
])(
  "a link's title and card are the same whether a password or a key guards it: %s [SEAL-27]",
  async (language, title, text) => {
    const owner = await signUp();
    const plain = await sendFile(owner, "some bytes", { guards: { password: "open barley" } });
    const links = [plain, await sendSealed(owner), await sendSealed(owner, { isLocked: true })];
    const headers = { "accept-language": language };
    for (const { downloadId } of links) {
      const page = await new Client().fetch(`/download/${downloadId}`, { headers });
      const { title: titled, meta } = await readHead(await page.text());
      expect([titled, meta]).toEqual([
        `${title} · Mayfly`,
        expect.objectContaining({
          description: text,
          "og:title": title,
          "og:description": text,
          "twitter:title": title,
        }),
      ]);
    }
  },
);

describe("guessing", () => {
  it("a sealed link's password is limited like a plain one [SEAL-28]", async () => {
    const { downloadId } = await sendSealed(await signUp(), { isLocked: true });
    const recipient = newcomer();
    const statuses: number[] = [];
    for (let tried = 0; tried < 6; tried += 1) {
      statuses.push((await unlockWith(recipient, downloadId, randomBytes(32))).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it("without a password is limited like looking at the link", async () => {
    const { downloadId, sealer } = await sendSealed(await signUp());
    const recipient = newcomer();
    for (let tried = 0; tried < 7; tried += 1) {
      expect((await unlockWith(recipient, downloadId, randomBytes(32))).status).toBe(403);
    }
    expect((await unlockWith(recipient, downloadId, sealer.link.access)).status).toBe(200);
  });

  it("is not what thirty people behind one address do, who open a link at once", async () => {
    const { downloadId, sealer } = await sendSealed(await signUp());
    const office = newcomer();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => unlockWith(office, downloadId, sealer.link.access)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
  });

  it("is not what somebody does who asks for a link that has ended", async () => {
    const owner = await signUp();
    const { uploadId, downloadId, sealer } = await sendSealed(owner, { isLocked: true });
    await owner.delete(`/api/files/${uploadId}`);
    const recipient = newcomer();
    for (let tried = 0; tried < 7; tried += 1) {
      expect((await unlockWith(recipient, downloadId, sealer.link.access)).status).toBe(410);
    }
  });
});

describe("a sealed link that is unlocked", () => {
  it("has no preview and no ZIP that the server could make [SEAL-34]", async () => {
    const { downloadId, sealer } = await sendSealed(await signUp());
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    expect(await refusalOf(recipient.fetch(link(downloadId, "/preview")))).toEqual([409, "SEALED"]);
  });

  it("is open for its owner, who needs its key to read it", async () => {
    const owner = await signUp();
    const { downloadId, sealer, seal } = await sendSealed(owner);
    const info = await (await owner.fetch(link(downloadId))).json();
    expect(info).toMatchObject({
      filename: "sealed",
      guards: { sealed: true, password: false },
      seal: { guard: "sealed", salt: seal.salt, revision: 1, final: true },
    });
    const opened = await unlockSealed(owner, downloadId, sealer);
    expect((await openSeal(sealer, opened)).manifest.files[0]?.name).toBe("the merger.pdf");
  });
});

describe("a new password", () => {
  async function lockAgain(owner: Client, uploadId: string, sealer: Sealer, isLocked: boolean) {
    const hash = isLocked ? randomBytes(32) : new Uint8Array();
    const keys = await deriveLinkKeys(sealer.linkSecret, hash, sealer.salt);
    const wrap = toBase64url(await wrapSecret(sealer.secret, keys));
    const accessHash = await accessHashOf({ link: keys });
    const guards = { wrap, accessHash, kdf: isLocked ? newKdf() : null };
    const listed: ListedFile = await (await owner.patch(`/api/files/${uploadId}`, { guards })).json();
    return { sealer: { ...sealer, link: keys }, listed, kdf: guards.kdf };
  }

  it("locks out whoever had unlocked it, and opens the same bytes [SEAL-28]", async () => {
    const owner = await signUp();
    const { uploadId, downloadId, sealer } = await sendSealed(owner);
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    expect((await recipient.content(downloadId)).status).toBe(200);

    const locked = await lockAgain(owner, uploadId, sealer, true);
    expect(locked.listed.guards).toMatchObject({ password: true, sealed: true });
    const [status, { kdf }] = await answerOf(recipient.content(downloadId));
    expect([status, kdf]).toEqual([401, locked.kdf]);
    expect((await unlockWith(recipient, downloadId, sealer.link.access)).status).toBe(403);
    const { keys } = await openSeal(locked.sealer, await unlockSealed(recipient, downloadId, locked.sealer));
    const sealed = new Uint8Array(await (await recipient.content(downloadId)).arrayBuffer());
    expect(new TextDecoder().decode(await openStream({ keys }, 0, 15, sealed))).toBe("nobody may know");

    const opened = await lockAgain(owner, uploadId, sealer, false);
    expect(opened.listed.guards).toMatchObject({ password: false, sealed: true });
    expect((await recipient.content(downloadId)).status).toBe(401);
    await unlockSealed(recipient, downloadId, opened.sealer);
  });

  it("is not told to the server, and comes whole", async () => {
    const owner = await signUp();
    const { uploadId, seal } = await sendSealed(owner);
    const change = async (guards: unknown) => (await answerOf(owner.patch(`/api/files/${uploadId}`, { guards })))[0];
    expect(await change({ password: "a password" })).toBe(400);
    expect(await change({ password: null })).toBe(400);
    expect(await change({ wrap: seal.wrap })).toBe(400);
    expect(await change({ kdf: newKdf() })).toBe(400);
    const plain = await sendFile(owner, "plain");
    const guards = { wrap: seal.wrap, accessHash: seal.accessHash };
    expect(await refusalOf(owner.patch(`/api/files/${plain.uploadId}`, { guards }))).toEqual([409, "NOT_SEALED"]);
  });
});

it("a sealed link is neither renamed nor mailed by the server [SEAL-24]", async () => {
  const owner = await signUp();
  const { uploadId } = await sendSealed(owner);
  const path = `/api/files/${uploadId}`;
  expect(await refusalOf(owner.patch(path, { filename: "the merger.pdf" }))).toEqual([409, "SEALED"]);
  expect((await owner.patch(path, { expiration: "1d" })).status).toBe(200);
  expect(await refusalOf(owner.post(`${path}/share`, { email: "friend@example.com" }))).toEqual([
    409,
    "LINK_NEEDS_KEY",
  ]);
});

describe("a file that was opened", () => {
  const opened = (recipient: Recipient | Client, downloadId: string, body: unknown = {}) =>
    recipient.post(link(downloadId, "/opened"), body);

  it("counts once against the limit [SEAL-35]", async () => {
    const owner = await signUp();
    const { uploadId, downloadId, sealer } = await sendSealed(owner, { guards: { maxDownloads: 2 } });
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    expect(await refusalOf(opened(recipient, downloadId))).toEqual([409, "LEASE_NEEDED"]);
    expect((await recipient.take(downloadId)).status).toBe(201);
    // Some of its bytes: it would not count by itself.
    await (await recipient.content(downloadId, { range: "bytes=0-11" })).arrayBuffer();
    expect((await opened(recipient, downloadId)).status).toBe(204);
    expect((await opened(recipient, downloadId)).status).toBe(204);
    const [, guards] = await answerOf(owner.fetch(`/api/files/${uploadId}/guards`));
    expect(guards).toMatchObject({ downloadsUsed: 1, running: 0 });
  });

  it("is told of a sealed link alone, and of a file that it has", async () => {
    const plain = await sendFile(await signUp(), "plain");
    expect(await refusalOf(opened(new Recipient(), plain.downloadId))).toEqual([409, "NOT_SEALED"]);
    const owner = await signUp();
    const { downloadId } = await sendSealed(owner, { guards: { maxDownloads: 1 } });
    expect((await opened(owner, downloadId, { entry: 0 })).status).toBe(400);
    expect([(await opened(owner, downloadId)).status, await usedOf(downloadId)]).toEqual([204, 0]);
  });
});
