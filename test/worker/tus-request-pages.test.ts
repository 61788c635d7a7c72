import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createRequest, listRequests } from "../support/requests.ts";
import { BYTES, metadata, SPOKEN } from "../support/tus.ts";
import { TusSender } from "../support/tus-requests.ts";
import { makeKey } from "../support/v1.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, Client, rowOf, signUp } from "../support/worker.ts";

const SITE = "https://page.example";
const shownTo = ({ headers }: Response) => headers.get("access-control-allow-origin");

describe("a page of a site that the request names", () => {
  it("sends, and may read every answer, as no other page may [REQ-12]", async () => {
    const owner = await signUp();
    const page = new TusSender(await createRequest(owner, { origins: ["https://other.example", SITE] }), SITE);
    const created = await page.start({ size: 10 });
    const { pathname: path } = new URL(created.headers.get("location") ?? "");
    const head = await page.call(path, "HEAD");
    const patched = await page.send({ path }, 0, "hello");
    const conflict = await page.send({ path }, 0, "hello");
    const tooLarge = await page.send({ path }, 5, "x", { "content-length": "100000001" });
    const ended = await page.call(path, "DELETE");
    const gone = await page.call(path, "HEAD");
    const elsewhere = await page.call(path.replace(/[^/]+$/, "A".repeat(22)), "HEAD");
    const wrong = await page.start({ headers: { "upload-length": "much" } });
    const answers = [created, head, patched, conflict, tooLarge, ended, gone, elsewhere, wrong];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 204, 409, 413, 204, 410, 404, 400]);
    for (const answer of answers) {
      expect([shownTo(answer), answer.headers.get("vary")]).toEqual([SITE, "Origin"]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      for (const name of ["Location", "Upload-Offset", "Tus-Resumable"]) {
        expect(answer.headers.get("access-control-expose-headers")).toContain(name);
      }
    }
  });

  it("may read that the request is closed, and finishes what it has begun, also when the request is deleted", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { origins: [SITE] });
    const page = new TusSender(made, SITE);
    const [first, second] = [await page.begin(), await page.begin()];
    await owner.patch(`/api/requests/${made.id}`, { closed: true });
    const closed = await page.start();
    expect([closed.status, shownTo(closed)]).toEqual([410, SITE]);
    const finished = await page.send(first, 0, "hello");
    expect([finished.status, shownTo(finished)]).toEqual([204, SITE]);
    await owner.delete(`/api/requests/${made.id}`);
    const deleted = await page.send(second, 0, "hello");
    expect([deleted.status, shownTo(deleted)]).toEqual([204, SITE]);
    const unknown = await page.start();
    expect([unknown.status, shownTo(unknown)]).toEqual([404, null]);
  });
});

describe("a page of another site", () => {
  it.each([
    "https://evil.example",
    "http://page.example",
    "https://page.example:8443",
    "https://page.example.evil.example",
    "https://www.page.example",
    "https://PAGE.example",
    "null",
  ])("is refused with 403, may read nothing, and begins nothing: %j [REQ-12]", async (origin) => {
    const owner = await signUp();
    const made = await createRequest(owner, { origins: [SITE] });
    const tus = await new TusSender(made, SITE).begin();
    const page = new TusSender(made, origin);
    const answers = [
      await page.start(),
      await page.call(tus.path, "HEAD"),
      await page.send(tus, 0, "hello"),
      await page.call(tus.path, "DELETE"),
      await page.call(tus.path, "POST", { "x-http-method-override": "PATCH", ...BYTES, "upload-offset": "0" }, "hello"),
    ];
    expect(answers.map((answer) => [answer.status, shownTo(answer)])).toEqual(answers.map(() => [403, null]));
    expect(await answerOf(page.start())).toEqual([
      403,
      {
        code: "CROSS_SITE",
        message: "This request does not take files from this website. Whoever made it can add the website.",
      },
    ]);
    expect((await new TusSender(made).call(tus.path, "HEAD")).headers.get("upload-offset")).toBe("0");
    expect(await rowOf("select count(*) as n from files where user_id = ?", owner.id)).toEqual({ n: 1 });
  });

  it("is refused where no site is named, and from the moment that its site is taken from the list", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { origins: [SITE] });
    const page = new TusSender(made, SITE);
    const tus = await page.begin();
    await owner.patch(`/api/requests/${made.id}`, { origins: [] });
    expect((await page.send(tus, 0, "hello")).status).toBe(403);
    expect((await page.start()).status).toBe(403);
    expect((await new TusSender(made, env.APP_ORIGIN).start()).status).toBe(403);
  });

  it("uses up nothing of its visitors' starts", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { origins: [SITE] });
    const client = clientFrom("2001:db8:28::1", { ...env, RATE_LIMITS: "on" });
    const page = new TusSender(made, "https://evil.example", client);
    for (let count = 0; count < 21; count += 1) expect((await page.start()).status).toBe(403);
    expect((await new TusSender(made, SITE, client).start()).status).toBe(201);
  });

  it("may not read whether a token is known", async () => {
    const page = new TusSender({ link: `/r/${"A".repeat(22)}` }, SITE);
    const answer = await page.start();
    expect([answer.status, shownTo(answer)]).toEqual([404, null]);
  });
});

describe("a program", () => {
  it("needs no site, and no page may read what it gets [REQ-12]", async () => {
    const owner = await signUp();
    const program = new TusSender(await createRequest(owner, { origins: [SITE] }));
    const created = await program.start();
    expect([created.status, shownTo(created)]).toEqual([201, null]);
  });
});

describe("a preflight", () => {
  it("is the same for every site: it has no token, and allows nothing by itself [REQ-12]", async () => {
    const owner = await signUp();
    await createRequest(owner, { origins: [SITE] });
    const asked = (origin: string) =>
      new Client().fetch("/api/v1/tus", {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,tus-resumable,upload-length,upload-metadata",
        },
      });
    const [listed, other] = [await asked(SITE), await asked("https://evil.example")];
    expect([listed.status, shownTo(listed)]).toEqual([204, "*"]);
    const told = ({ headers }: Response) => [...headers].filter(([name]) => name !== "x-request-id");
    expect(told(other)).toEqual(told(listed));
  });
});

describe("a key", () => {
  it("is answered to every page, as before", async () => {
    const { key } = await makeKey(await signUp(), { browserUse: true });
    const headers = { ...SPOKEN, authorization: `Bearer ${key}`, origin: "https://any.example", "upload-length": "5" };
    const said = { "upload-metadata": metadata({ filename: "a.txt" }) };
    const created = await new Client().fetch("/api/v1/tus", { method: "POST", headers: { ...headers, ...said } });
    expect([created.status, shownTo(created)]).toEqual([201, "*"]);
  });
});

describe("the list of sites", () => {
  it("has websites as browsers send them, each once [REQ-13]", async () => {
    const owner = await signUp();
    const origins = ["https://a.example", "http://localhost:5173", "https://a.example", "http://[::1]:80801"];
    const wrong = await answerOf(owner.post("/api/requests", { title: "Photos", origins }));
    expect(wrong).toMatchObject([400, { field: "origins.3" }]);
    const made = await createRequest(owner, {
      origins: [...origins.slice(0, 3), "https://xn--mller-kva.example:8443"],
    });
    const kept = ["https://a.example", "http://localhost:5173", "https://xn--mller-kva.example:8443"];
    expect(made.origins).toEqual(kept);
    await owner.patch(`/api/requests/${made.id}`, { note: "Hello" });
    expect((await listRequests(owner))[0]?.origins).toEqual(kept);
    await owner.patch(`/api/requests/${made.id}`, { origins: [] });
    expect((await listRequests(owner))[0]?.origins).toEqual([]);
  });

  it.each([
    "http://example.com",
    "http://localhost.example.com",
    "ftp://example.com",
    "https://example.com/",
    "https://example.com/upload",
    "https://Example.com",
    "https://example.com:443",
    "https://ann@example.com",
    "https://*.example.com",
    "https://müller.example",
    "example.com",
    "null",
    "*",
    "",
    `https://${"a.".repeat(140)}example`,
  ])("refuses %j in words [REQ-13]", async (origin) => {
    const owner = await signUp();
    const [status, answer] = await answerOf(owner.post("/api/requests", { title: "Photos", origins: [origin] }));
    expect([status, answer]).toMatchObject([
      400,
      {
        code: "BAD_REQUEST",
        message:
          "origins.0 must be a website such as https://example.com, in small letters and without a path. Only localhost may have http://.",
      },
    ]);
  });

  it("has ten of them at most [REQ-13]", async () => {
    const owner = await signUp();
    const origins = Array.from({ length: 11 }, (_, n) => `https://a${n}.example`);
    expect(await answerOf(owner.post("/api/requests", { title: "Photos", origins }))).toMatchObject([
      400,
      { field: "origins", message: "origins may name at most 10 websites." },
    ]);
    expect((await createRequest(owner, { origins: origins.slice(1) })).origins).toHaveLength(10);
  });
});
