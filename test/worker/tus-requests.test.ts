import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { V1Call } from "#domain/v1/call.ts";
import { DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { createAccountFixture } from "../support/account-fixture.ts";
import { rowsOf } from "../support/account-rows.ts";
import { FeedPage } from "../support/feed.ts";
import { headersWith } from "../support/key-refusals.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { requestFor } from "../support/routes.ts";
import { textFile } from "../support/transfers.ts";
import { BYTES, metadata, offsetOf, send, SPOKEN } from "../support/tus.ts";
import { TusSender } from "../support/tus-requests.ts";
import { programOf } from "../support/v1.ts";
import { answerOf, Client, contentPath, putOnPlan, rowOf, runSql, signUp } from "../support/worker.ts";

const monthOf = (id: string) =>
  rowOf("select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where id = ?", id);

async function receivedBy(owner: Client): Promise<Record<string, unknown>[]> {
  return (await (await owner.fetch("/api/received")).json<{ items: Record<string, unknown>[] }>()).items;
}

describe("tus with the token of an upload request", () => {
  it("sends a file to the owner of the request, and the sender never gets a link [REQ-10]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { title: "Photos", asksName: true });
    const sender = new TusSender(made);
    const who = { senderName: " Ann ", senderEmail: "ann@example.com", note: "Enjoy\nthem" };
    const created = await sender.start({
      size: 11,
      said: { filename: "Übersicht.txt", filetype: "text/plain", relativePath: "null", ...who },
    });
    expect([created.status, await created.text()]).toEqual([201, ""]);
    const location = created.headers.get("location") ?? "";
    expect(location).toMatch(new RegExp(`^${env.APP_ORIGIN}/api/v1/tus/[0-9a-f-]{36}/[\\w-]{22}$`));
    const { pathname: path } = new URL(location);
    const first = await sender.send({ path }, 0, "hello ");
    const head = await sender.call(path, "HEAD");
    expect([head.status, head.headers.get("upload-offset"), head.headers.get("upload-length")]).toEqual([
      200,
      "6",
      "11",
    ]);
    const last = await sender.send({ path }, 6, "there");
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "11"]);
    const after = await sender.call(path, "HEAD");
    const id = path.split("/").at(-2) ?? "";
    const { downloadId } = await rowOf<{ downloadId: string }>(
      "select download_id as downloadId from files where id = ?",
      id,
    );
    for (const response of [created, first, head, last, after]) {
      expect(response.headers.get("mayfly-link")).toBeNull();
      const told = [...response.headers].join(" ");
      for (const secret of [downloadId, owner.id, owner.email, made.id]) expect(told).not.toContain(secret);
    }
    expect(await receivedBy(owner)).toMatchObject([
      {
        id,
        requestTitle: "Photos",
        title: "Übersicht.txt",
        size: 11,
        entries: 1,
        senderName: "Ann",
        senderEmail: "ann@example.com",
        senderNote: "Enjoy\nthem",
        link: null,
      },
    ]);
    expect(
      await rowOf("select expiration, mime_type as type, api_key_id as keyId from files where id = ?", id),
    ).toEqual({ expiration: "3d", type: "text/plain", keyId: null });
    expect(await (await owner.fetch(contentPath(downloadId))).text()).toBe("hello there");
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(404);
    expect((await new Client().fetch(`/download/${downloadId}`)).status).toBe(404);
    expect(await monthOf(owner.id)).toEqual({ bytes: 11, transfers: 1 });
  });

  it("takes an empty file, bytes with the start, and a file whose size comes later", async () => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner));
    expect((await sender.start({ size: 0, said: { filename: "empty.txt" } })).status).toBe(201);
    const whole = await sender.start({ size: 5, said: { filename: "whole.txt" }, headers: BYTES, body: "hello" });
    expect([whole.status, whole.headers.get("upload-offset")]).toEqual([201, "5"]);
    expect(whole.headers.get("mayfly-link")).toBeNull();
    const later = await sender.begin({ size: null, said: { filename: "later.txt" } });
    await sender.send(later, 0, "hello", { "content-length": "5" });
    const last = await sender.send(later, 5, "", { "content-length": "0", "upload-length": "5" });
    expect(last.status).toBe(204);
    const sizes = (await receivedBy(owner)).map(({ title, size }) => [title, size]);
    expect(sizes.sort()).toEqual([
      ["empty.txt", 0],
      ["later.txt", 5],
      ["whole.txt", 5],
    ]);
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 3 });
  });

  it("tells the owner's open pages, their mail and their webhooks as the page of the request does", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const page = await FeedPage.open(owner);
    const sender = new TusSender(made);
    const tus = await sender.sendAll("hello", { senderEmail: "ann@example.com" });
    const cancelled = await sender.begin();
    expect((await sender.call(cancelled.path, "DELETE")).status).toBe(204);
    // News of one upload that come close together are one: its last state.
    const states = () =>
      new Map(
        page.messages.flat().flatMap((news) => (news.type === "received" ? [[news.transferId, news.state]] : [])),
      );
    await page.until(() => states().get(tus.id) === "arrived" && states().get(cancelled.id) === "ended");
    expect(
      await rowOf(
        "select group_concat(kind, ' ' order by kind) as kinds from notice_events where transfer_id = ?",
        tus.id,
      ),
    ).toEqual({ kinds: "receipt received" });
  });

  it("lets what runs finish when the request is closed or deleted, and takes nothing new [REQ-10]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const sender = new TusSender(made);
    const [first, second, third] = [await sender.begin(), await sender.begin(), await sender.begin()];
    await owner.patch(`/api/requests/${made.id}`, { closed: true });
    expect((await sender.send(first, 0, "hello")).status).toBe(204);
    expect(await answerOf(sender.start())).toMatchObject([410, { code: "REQUEST_CLOSED" }]);
    await owner.delete(`/api/requests/${made.id}`);
    expect((await sender.call(second.path, "HEAD")).headers.get("upload-offset")).toBe("0");
    expect((await sender.send(second, 0, "hello")).status).toBe(204);
    expect((await sender.call(third.path, "DELETE")).status).toBe(204);
    expect(await answerOf(sender.start())).toMatchObject([404, { code: "REQUEST_NOT_FOUND" }]);
    expect((await receivedBy(owner)).map(({ size }) => size)).toEqual([5, 5]);
  });

  it("ends with the account", async () => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner));
    const tus = await sender.begin();
    await runSql("update users set deleted_at = 1 where id = ?", owner.id);
    expect(await answerOf(sender.send(tus, 0, "hello"))).toMatchObject([410, { code: "UPLOAD_GONE" }]);
    expect(await answerOf(sender.start())).toMatchObject([410, { code: "REQUEST_CLOSED" }]);
  });
});

describe("what the token opens", () => {
  it("is no other call of /api/v1, in any header that may carry a key [REQ-10]", async () => {
    const fixture = await createAccountFixture();
    const { requestToken } = fixture;
    const before = await rowsOf(fixture);
    for (const [name, row] of Object.entries(DESCRIBED_CALLS)) {
      const call: V1Call = row;
      if (call.scope === null) continue;
      const route = `${call.method} ${call.isTop ? "" : "/api/v1"}${call.path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      const { path, init } = requestFor(route, fixture);
      const [bearer = {}, basic = {}] = headersWith(requestToken);
      // With tus a Bearer token starts an upload, and nothing else does.
      for (const headers of name === "createTusUpload" ? [basic] : [bearer, basic]) {
        const sent = { ...Object.fromEntries(new Headers(init.headers)), accept: "application/json", ...headers };
        const [status, { code }] = await answerOf(new Client().fetch(path, { ...init, headers: sent }));
        expect([name, status, code]).toEqual([name, 401, "KEY_INVALID"]);
      }
    }
    for (const path of ["/api/files", "/api/received", "/api/requests", "/api/keys"]) {
      const [headers = {}] = headersWith(requestToken);
      expect([path, (await new Client().fetch(path, { headers })).status]).toEqual([path, 401]);
    }
    expect(await rowsOf(fixture)).toEqual(before);
  });

  it("is an upload only with its address, and an address only with the token that it was started with [REQ-10]", async () => {
    const owner = await signUp();
    await putOnPlan(owner.email, "professional");
    const [made, other] = [await createRequest(owner), await createRequest(owner)];
    const foreign = await createRequest(await signUp());
    const sender = new TusSender(made);
    const [tus, second] = [await sender.begin(), await sender.begin()];
    const secretOf = ({ path }: { path: string }) => path.split("/").at(-1) ?? "";
    const { path: swapped } = { path: `/api/v1/tus/${tus.id}/${secretOf(second)}` };
    const key = await programOf(owner);
    const tries: [string, (method: string, headers: Record<string, string>, body?: string) => Promise<Response>][] = [
      ["another request's", (...call) => new TusSender(other).call(tus.path, ...call)],
      ["another person's", (...call) => new TusSender(foreign).call(tus.path, ...call)],
      [
        "no token",
        (method, headers, body) =>
          new Client().fetch(tus.path, { method, headers: { ...SPOKEN, ...headers }, ...(body && { body }) }),
      ],
      [
        "a key of the owner",
        (method, headers, body) =>
          key.fetch(tus.path.replace("/api/v1", ""), {
            method,
            headers: { ...SPOKEN, ...headers },
            ...(body && { body }),
          }),
      ],
      ["another address", (...call) => sender.call(swapped, ...call)],
    ];
    for (const [what, call] of tries) {
      for (const [method, headers, body] of [
        ["HEAD", {}],
        ["PATCH", { ...BYTES, "upload-offset": "0" }, "hello"],
        ["DELETE", {}],
        ["POST", { "x-http-method-override": "DELETE" }],
      ] as const) {
        expect([what, method, (await call(method, headers, body)).status]).toEqual([what, method, 404]);
      }
    }
    expect((await sender.call(tus.path, "HEAD")).headers.get("upload-offset")).toBe("0");
    expect((await sender.call(tus.path, "POST", { "x-http-method-override": "DELETE" })).status).toBe(204);
  });

  it("is no upload that was sent on the page of the request, and the page's calls open none of tus", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const onPage = new Sender(made);
    const started = await onPage.begin([textFile("a.txt", "hello")]);
    const sender = new TusSender(made);
    for (const secret of [started.uploadToken.slice(0, 22), started.downloadId]) {
      const path = `/api/v1/tus/${started.uploadId}/${encodeURIComponent(secret)}`;
      expect((await sender.call(path, "HEAD")).status).not.toBe(200);
    }
    const tus = await sender.begin();
    const secret = tus.path.split("/").at(-1) ?? "";
    const { downloadId } = await rowOf<{ downloadId: string }>(
      "select download_id as downloadId from files where id = ?",
      tus.id,
    );
    for (const token of [secret, `${secret} ${sender.token}`, `${secret}${sender.token}`, sender.token]) {
      const headers = { "mayfly-upload-token": token, "content-type": "application/json" };
      const body = JSON.stringify({ downloadId });
      const cancel = new Client().fetch("/api/direct-upload/cancel", { method: "POST", headers, body });
      expect((await cancel).status).toBe(401);
    }
    expect((await sender.call(tus.path, "HEAD")).headers.get("upload-offset")).toBe("0");
  });

  it("leaves uploads of keys to their address", async () => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner));
    const program = await programOf(owner);
    const headers = { ...SPOKEN, "upload-length": "5", "upload-metadata": metadata({ filename: "a.txt" }) };
    const created = await program.fetch("/tus", { method: "POST", headers });
    expect(created.headers.get("mayfly-link")).toContain("/download/");
    const { pathname: path } = new URL(created.headers.get("location") ?? "");
    expect((await sender.call(path, "HEAD")).status).toBe(200);
    expect(await offsetOf({ path, id: "", downloadId: "" })).toBe(0);
    expect((await send({ path, id: "", downloadId: "" }, 0, "hello")).headers.get("mayfly-link")).not.toBeNull();
  });
});
