import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { countedBody } from "../support/bodies.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { dataPath, PAGES, requestFor, ROUTES } from "../support/routes.ts";
import { workerWith } from "../support/worker-with-env.ts";

const ORIGIN = "https://files.example.com";
const send = workerWith({ ...env, APP_ORIGIN: ORIGIN });

let fixture: AccountFixture;

beforeAll(async () => {
  fixture = await createAccountFixture();
});

function ask(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { cookie: fixture.owner.cookie, ...(init.headers as Record<string, string> | undefined) };
  return send(new Request(address, { redirect: "manual", ...init, headers }));
}

describe("plain HTTP on an HTTPS site", () => {
  const reads = Object.keys(ROUTES).filter((key) => key.startsWith("GET "));
  const changes = Object.keys(ROUTES).filter((key) => !key.startsWith("GET "));

  it.each(reads)("redirects to HTTPS with the path and query: %s", async (key) => {
    const { path } = requestFor(key, fixture);
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(`http://files.example.com${path}`, { method });
      expect([method, response.status, response.headers.get("location")]).toEqual([method, 308, ORIGIN + path]);
      expect(await response.text()).toBe("");
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  it.each(changes)("is rejected before the body is read: %s", async (key) => {
    const { path, init } = requestFor(key, fixture);
    const { stream, readBytes } = countedBody(new TextEncoder().encode("{}"));
    const body = init.method === "DELETE" ? null : stream;
    const response = await ask(`http://files.example.com${path}`, { ...init, body });
    expect(response.status).toBe(403);
    const message = "This address requires https://. Nothing was changed.";
    if (path.startsWith("/api/")) expect(await response.json()).toEqual({ code: "HTTPS_REQUIRED", message });
    else expect(await response.text()).toBe(message);
    expect(readBytes()).toBe(0);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("the rejection is in the client's language", async () => {
    const headers = { "accept-language": "de" };
    const response = await ask("http://files.example.com/api/auth/login", { method: "POST", headers });
    expect(await response.json()).toMatchObject({
      message: "Diese Adresse ist nur über https:// erreichbar. Es wurde nichts geändert.",
    });
  });

  it("every page and its loader redirect GET and reject POST", async () => {
    for (const page of Object.keys(PAGES)) {
      for (const path of [page, dataPath(page)]) {
        const read = await ask(`http://files.example.com${path}?a=b`);
        expect([path, read.status, read.headers.get("location")]).toEqual([path, 308, `${ORIGIN}${path}?a=b`]);
        const sent = await ask(`http://files.example.com${path}`, { method: "POST", body: "x" });
        expect([path, sent.status]).toEqual([path, 403]);
        expect(await sent.text()).toBe("This address requires https://. Nothing was changed.");
      }
    }
  });

  it("always redirects to the site's own origin, for any host and path", async () => {
    for (const [url, target] of [
      ["http://mayfly.somebody.workers.dev/pricing", `${ORIGIN}/pricing`],
      ["http://files.example.com:8080/pricing?x=%20", `${ORIGIN}/pricing?x=%20`],
      ["http://files.example.com//evil.example/a", `${ORIGIN}//evil.example/a`],
      ["http://files.example.com/.//evil.example", `${ORIGIN}//evil.example`],
    ] as const) {
      const { status, headers } = await ask(url);
      expect([status, headers.get("location")]).toEqual([308, target]);
      expect(new URL(headers.get("location") ?? "").origin).toBe(ORIGIN);
    }
  });

  it("a WebSocket is rejected", async () => {
    const { downloadId } = fixture.upload;
    const response = await ask(`http://files.example.com/ws?id=${downloadId}`, { headers: { upgrade: "websocket" } });
    expect([response.status, response.webSocket]).toEqual([308, null]);
  });

  it("plain HTTP is answered if the site's own origin is HTTP, as in development", async () => {
    const response = await workerWith(env)(new Request(new URL("/api/auth/me", env.APP_ORIGIN)));
    expect(response.status).toBe(200);
  });
});

describe("https", () => {
  it("is answered on any host", async () => {
    for (const origin of [ORIGIN, "https://mayfly.somebody.workers.dev"]) {
      expect((await ask(`${origin}/api/auth/me`)).status).toBe(200);
      expect((await ask(`${origin}/pricing`)).status).toBe(200);
    }
  });
});
