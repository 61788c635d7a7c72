import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { countedBody } from "../support/bodies.ts";
import { createOwned, type Owned } from "../support/owned.ts";
import { dataPath, PAGES, requestFor, ROUTES } from "../support/routes.ts";
import { serving } from "../support/serving.ts";

const ORIGIN = "https://files.example.com";
const send = serving({ ...env, APP_ORIGIN: ORIGIN });

let owned: Owned;

beforeAll(async () => {
  owned = await createOwned();
});

function ask(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { cookie: owned.owner.cookie, ...(init.headers as Record<string, string> | undefined) };
  return send(new Request(address, { redirect: "manual", ...init, headers }));
}

describe("plain HTTP, where the site's address is https", () => {
  const reads = Object.keys(ROUTES).filter((key) => key.startsWith("GET "));
  const changes = Object.keys(ROUTES).filter((key) => !key.startsWith("GET "));

  it.each(reads)("is led to https, with the path and the query: %s", async (key) => {
    const { path } = requestFor(key, owned);
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(`http://files.example.com${path}`, { method });
      expect([method, response.status, response.headers.get("location")]).toEqual([method, 308, ORIGIN + path]);
      expect(await response.text()).toBe("");
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  it.each(changes)("is refused before anything is read: %s", async (key) => {
    const { path, init } = requestFor(key, owned);
    const { stream, readBytes } = countedBody(new TextEncoder().encode("{}"));
    const body = init.method === "DELETE" ? null : stream;
    const response = await ask(`http://files.example.com${path}`, { ...init, body });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      code: "HTTPS_REQUIRED",
      message: "This address answers over https:// only. Nothing was changed.",
    });
    expect(readBytes()).toBe(0);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("is said in the caller's language", async () => {
    const headers = { "accept-language": "de" };
    const response = await ask("http://files.example.com/api/auth/login", { method: "POST", headers });
    expect(await response.json()).toMatchObject({
      message: "Diese Adresse antwortet nur über https://. Es hat sich nichts geändert.",
    });
  });

  it("is neither shown nor sent a page: every page, and its loader", async () => {
    for (const page of Object.keys(PAGES)) {
      for (const path of [page, dataPath(page)]) {
        const read = await ask(`http://files.example.com${path}?a=b`);
        expect([path, read.status, read.headers.get("location")]).toEqual([path, 308, `${ORIGIN}${path}?a=b`]);
        const sent = await ask(`http://files.example.com${path}`, { method: "POST", body: "x" });
        expect([path, sent.status]).toEqual([path, 403]);
        expect(await sent.text()).toBe("This address answers over https:// only. Nothing was changed.");
      }
    }
  });

  it("is led to the site's own address, whatever host and path were asked for", async () => {
    for (const [asked, answer] of [
      ["http://mayfly.somebody.workers.dev/pricing", `${ORIGIN}/pricing`],
      ["http://files.example.com:8080/pricing?x=%20", `${ORIGIN}/pricing?x=%20`],
      ["http://files.example.com//evil.example/a", `${ORIGIN}//evil.example/a`],
      ["http://files.example.com/.//evil.example", `${ORIGIN}//evil.example`],
    ] as const) {
      const { status, headers } = await ask(asked);
      expect([status, headers.get("location")]).toEqual([308, answer]);
      expect(new URL(headers.get("location") ?? "").origin).toBe(ORIGIN);
    }
  });

  it("opens no socket", async () => {
    const { downloadId } = owned.upload;
    const response = await ask(`http://files.example.com/ws?id=${downloadId}`, { headers: { upgrade: "websocket" } });
    expect([response.status, response.webSocket]).toEqual([308, null]);
  });

  it("is answered as ever where the site's own address is http, as on a developer's machine", async () => {
    const response = await serving(env)(new Request(new URL("/api/auth/me", env.APP_ORIGIN)));
    expect(response.status).toBe(200);
  });
});

describe("https", () => {
  it("is answered, over whichever host", async () => {
    for (const origin of [ORIGIN, "https://mayfly.somebody.workers.dev"]) {
      expect((await ask(`${origin}/api/auth/me`)).status).toBe(200);
      expect((await ask(`${origin}/pricing`)).status).toBe(200);
    }
  });
});
