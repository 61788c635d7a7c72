import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { CALLS } from "#domain/calls/calls.ts";
import type { Call } from "#domain/calls/call.ts";
import { readSettings } from "#worker/settings.ts";
import { createRequest } from "../support/requests.ts";
import { SAMPLES } from "../support/samples.ts";
import { startRequest, textFile, totalsOf, announcementOf } from "../support/transfers.ts";
import { answerOf, Client, sendFile, signUp } from "../support/worker.ts";
import "../support/turnstile-double/provided.ts";
import { clientFrom } from "../support/worker-with-env.ts";

const WITH_TURNSTILE: Env = {
  ...env,
  ANONYMOUS_UPLOADS: "on",
  TURNSTILE_SITE_KEY: "the site's key",
  TURNSTILE_SECRET_KEY: "turnstile's secret",
  TURNSTILE_URL: inject("turnstileUrl"),
} as Env;

/** What strangers call, by the name of the call. */
interface Sample {
  path: string;
  method?: string;
  body: () => unknown;
}

let link: string;
let requestToken: string;

const SAMPLED: Record<string, Sample> = {
  "POST /api/auth/register": {
    path: "/api/auth/register",
    body: () => ({ email: `${crypto.randomUUID()}@example.com`, password: "a good password" }),
  },
  "POST /api/contact": { path: "/api/contact", body: () => SAMPLES.message },
  "POST /api/files/download/:downloadId/report": {
    path: "/api/files/download/LINK/report",
    body: () => ({ reason: "malware" }),
  },
  "POST /api/requests/by-link/:token/transfers": {
    path: "/api/requests/by-link/TOKEN/transfers",
    body: () => {
      const files = [textFile("a.txt")];
      return { totals: totalsOf(files), entries: { from: 0, list: files.map(announcementOf) } };
    },
  },
  "POST /api/direct-upload/presigned-url": {
    path: "/api/direct-upload/presigned-url",
    body: () => ({ ...SAMPLES.file, fileSize: 5 }),
  },
  "POST /api/direct-upload/proxy-upload": {
    path: "/api/direct-upload/proxy-upload",
    body: () => {
      const form = new FormData();
      form.append("expiration", "1d");
      form.append("file", new File(["hello"], "a.txt", { type: "text/plain" }));
      return form;
    },
  },
  "POST /api/chunked-upload/init": {
    path: "/api/chunked-upload/init",
    body: () => ({ filename: "a.txt", fileType: "text/plain", expiration: "1d", totalSize: "5", totalChunks: "1" }),
  },
  "POST /api/transfers": { path: "/api/transfers", body: () => startRequest([textFile("a.txt")]) },
  "PUT /:name": { path: "/a.txt", method: "PUT", body: () => "hello" },
};

function send(by: Client, { path, method = "POST", body }: Sample, token?: string): Promise<Response> {
  const sent = body();
  const at = path.replace("LINK", link).replace("TOKEN", requestToken);
  const headers = new Headers({ accept: "application/json", ...(token !== undefined && { "mayfly-human": token }) });
  if (typeof sent === "string") return by.fetch(at, { method, headers, body: sent });
  const encoded = new Response(sent instanceof FormData ? sent : JSON.stringify(sent));
  headers.set(
    "content-type",
    sent instanceof FormData ? (encoded.headers.get("content-type") ?? "") : "application/json",
  );
  return encoded.arrayBuffer().then((bytes) => {
    headers.set("content-length", String(bytes.byteLength));
    return by.fetch(at, { method, headers, body: bytes });
  });
}

const stranger = (environment = WITH_TURNSTILE) => clientFrom("203.0.113.7", environment);
const good = () => `good ${crypto.randomUUID()}`;
const EACH = Object.entries(SAMPLED);

beforeEach(async () => {
  const person = await signUp();
  link = (await sendFile(person, "hello")).downloadId;
  requestToken = (await createRequest(person)).link.split("/").at(-1) ?? "";
});

describe("with Turnstile", () => {
  it("every call that asks for it is sampled here [BOT-1]", () => {
    const asking = Object.entries<Call>(CALLS).flatMap(([name, row]) => (row.needsHuman ? [name] : []));
    expect([...asking, "PUT /:name"].sort()).toEqual(Object.keys(SAMPLED).sort());
  });

  it.each(EACH)("%s of a stranger needs a token, which is good once [BOT-1]", async (_name, sample) => {
    for (const token of [undefined, "bad", "x".repeat(3000)]) {
      const [status, body] = await answerOf(send(stranger(), sample, token));
      expect([token?.length, status, body["code"]]).toEqual([token?.length, 403, "HUMAN_CHECK_NEEDED"]);
    }
    const token = good();
    expect((await send(stranger(), sample, token)).status).toBeLessThan(300);
    expect((await send(stranger(), sample, token)).status).toBe(403);
  });

  it.each(["broken", "nonsense", "cut"])("an endpoint that is %s lets nobody through [BOT-2]", async (token) => {
    const [status, body] = await answerOf(
      send(stranger(), SAMPLED["POST /api/contact"] ?? expect.unreachable(), token),
    );
    expect([status, body["code"]]).toEqual([503, "HUMAN_CHECK_UNAVAILABLE"]);
  });

  it("who has an account uploads without a token [BOT-3]", async () => {
    const { cookie } = await signUp();
    const person = clientFrom("203.0.113.7", WITH_TURNSTILE, cookie);
    await sendFile(person, "hello");
    expect((await send(person, SAMPLED["POST /api/transfers"] ?? expect.unreachable())).status).toBe(200);
  });

  it("only the page of the check runs foreign scripts, and other pages do not name it [BOT-4]", async () => {
    const policyOf = async (path: string) => {
      const response = await stranger().fetch(path, { headers: { accept: "text/html" } });
      return [response.status, response.headers.get("content-security-policy")?.includes("cloudflare.com")];
    };
    expect(await policyOf("/human-check")).toEqual([200, true]);
    for (const path of ["/", "/contact", `/download/${link}`]) expect(await policyOf(path)).toEqual([200, false]);
  });

  it("needs both keys", () => {
    expect(() => readSettings({ ...env, TURNSTILE_SITE_KEY: "x" })).toThrow("Set both");
    expect(() => readSettings({ ...env, TURNSTILE_SECRET_KEY: "x" })).toThrow("Set both");
  });
});

describe("without Turnstile", () => {
  it.each(EACH)("%s of a stranger needs no token [BOT-5]", async (_name, sample) => {
    const environment = { ...env, ANONYMOUS_UPLOADS: "on" };
    expect((await send(stranger(environment), sample)).status).toBeLessThan(300);
  });

  it("there is no page of a check [BOT-5]", async () => {
    const page = await new Client().fetch("/human-check", { headers: { accept: "text/html" } });
    expect(page.status).toBe(404);
    expect(page.headers.get("content-security-policy")).not.toContain("cloudflare.com");
  });
});

describe("an address of throw-away mail", () => {
  const register = (email: string, environment = env) =>
    answerOf(clientFrom("203.0.113.8", environment).post("/api/auth/register", { email, password: "a good password" }));

  it.each(["mailinator.com", "MAILINATOR.com", "sub.mailinator.com", "yopmail.com"])(
    "at %s is refused, in words [BOT-6]",
    async (domain) => {
      const [status, body] = await register(`${crypto.randomUUID()}@${domain}`);
      expect([status, body["code"]]).toEqual([400, "THROWAWAY_ADDRESS"]);
    },
  );

  it.each(["example.com", "mailinator.com.example.org", "gmail.com"])("is not one at %s", async (domain) => {
    expect((await register(`${crypto.randomUUID()}@${domain}`))[0]).toBe(201);
  });

  it("is taken where the setting allows it [BOT-6]", async () => {
    const environment = { ...env, THROWAWAY_MAIL: "allowed" };
    expect((await register(`${crypto.randomUUID()}@mailinator.com`, environment))[0]).toBe(201);
  });
});
