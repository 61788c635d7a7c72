import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { DAY_MS, KIB } from "#domain/units.ts";
import { seoRequest, type PublicContent, type PublicSeo } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import { createPage, deletePage, listPages, updatePage } from "#worker/content/pages.ts";
import { renderContent } from "#worker/content/render.ts";
import { changeSeo, createSeo, listSeoContent, removeSeo } from "#worker/content/seo.ts";
import { servicesFor } from "#worker/services.ts";
import { HOSTILE_TEXTS } from "../support/hostile-html.ts";
import { answerOf, runSql, Client, logInAdmin, rowOf, signUp, stopClockAt } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

const visitor = new Client();
const services = servicesFor(env);
const ADMIN = { userId: null, username: "admin" };

interface Element {
  name: string;
  attributes: Record<string, string>;
}

/** Lists the elements that a different parser than the sanitizer's finds. */
async function elementsOf(html: string): Promise<Element[]> {
  const elements: Element[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      elements.push({
        name: element.tagName,
        attributes: Object.fromEntries(element.attributes) as Record<string, string>,
      });
    },
  });
  await rewriter.transform(new Response(html)).text();
  return elements;
}

async function publicContent(slug: string): Promise<PublicContent> {
  return (await visitor.fetch(`/api/public-content/${slug}`)).json();
}

describe("rendering a page's text [PAGE-14]", () => {
  it.each([
    ["One.\n\nTwo,\nand three.", "<p>One.</p>\n<p>Two,<br />and three.</p>"],
    [
      "## Account guidelines\n\n- **a**\n- [b](/contact)",
      /<h2 id="account-guidelines">.*<strong>a<.*href="\/contact"/s,
    ],
    ["# A title of its own", '<h2 id="a-title-of-its-own">A title of its own</h2>'],
    ["<p>Already <em>HTML</em></p>\n\n<p>with\nlines</p>", "<p>Already <em>HTML</em></p>\n\n<p>with\nlines</p>"],
    [
      "a < b, `<b>` and <https://example.com>",
      /^<p>a &lt; b, <code>&lt;b&gt;<\/code> and <a href="https:\/\/example.com"/,
    ],
    ["<h2>Twice</h2><h2>Twice</h2>", '<h2 id="twice">Twice</h2><h2>Twice</h2>'],
  ])("%j", async (text, html) => {
    const rendered = (await renderContent(text)).trim();
    if (typeof html === "string") expect(rendered).toBe(html);
    else expect(rendered).toMatch(html);
  });

  it.each(HOSTILE_TEXTS)("removes everything active: %j [PAGE-15]", async (text) => {
    const html = await renderContent(text);
    for (const { name, attributes } of await elementsOf(html)) {
      expect(name).not.toMatch(
        /^(script|style|svg|math|iframe|object|embed|applet|form|input|button|link|base|meta|template|noscript|textarea)$/,
      );
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(attribute).not.toMatch(/^(on|style|id|name|class|srcdoc|srcset|xlink)/);
        if (/href|src/.test(attribute)) expect(value).toMatch(/^(https?:\/\/|mailto:|tel:|[\w/#.-]*$)(?!\/)/);
      }
    }
    expect(html).not.toMatch(/<!--|evil\.example/);
    const opened = html.match(/<(?!\/|br|hr|img)[a-z]/g) ?? [];
    expect(html.match(/<\//g) ?? []).toHaveLength(opened.length);
  });
});

describe("previewing a text", () => {
  const preview = (client: Client, body: unknown) => answerOf(client.post("/api/content/preview", body));

  it("a preview renders the text as for readers, with facts replaced and everything active removed", async () => {
    const admin = await logInAdmin();
    const [status, markdown] = await preview(admin, { content: "## {product}\n\n**Bold** [a](javascript:alert(1))" });
    expect(status).toBe(200);
    expect(markdown.content).toContain(`<h2 id="mayfly">${PRODUCT_NAME}</h2>`);
    expect(markdown.content).toContain("<strong>Bold</strong>");
    expect(markdown.content).not.toContain("javascript:");
    const content = "<p onclick='alert(1)'>{product}</p><script>alert(1)</script><img src=x onerror=alert(1)>";
    const [, html] = await preview(admin, { content });
    expect(html.content).toContain(`<p>${PRODUCT_NAME}</p>`);
    expect(html.content).not.toMatch(/script|alert|onerror|onclick/);
    // The preview is not saved.
    expect(await rowOf("select count(*) as n from page_content where content like '%alert(1)%'")).toEqual({ n: 0 });
  });

  it("only administrators can preview, and only texts within a page's limits", async () => {
    const admin = await logInAdmin();
    for (const client of [visitor, await signUp()]) {
      expect(await preview(client, { content: "Text" })).toEqual([
        403,
        expect.objectContaining({ code: "ADMIN_REQUIRED" }),
      ]);
    }
    const limit = "ü".repeat(50_000);
    expect((await preview(admin, { content: limit }))[0]).toBe(200);
    for (const body of [{}, { content: 1 }, { content: `${limit}ü` }, [], null]) {
      expect(await preview(admin, body)).toEqual([400, expect.objectContaining({ code: "BAD_REQUEST" })]);
    }
    const tooLarge = { content: "a".repeat(400 * KIB) };
    expect((await preview(admin, tooLarge))[0]).toBe(413);
  });
});

describe("GET /api/public-content", () => {
  it.each([
    ["terms", "2026-11-28T00:00:00.000Z"],
    ["privacy", "2026-11-28T00:00:00.000Z"],
    ["about", "2026-11-21T00:00:00.000Z"],
  ])("answers the title, safe HTML and date of %s, with facts replaced [API-32, PAGE-28]", async (slug, updatedAt) => {
    const content = await publicContent(slug);
    expect(content).toEqual({
      title: expect.stringMatching(/\S/) as string,
      content: expect.stringMatching(/^<p>[^]+<h2 id=/) as string,
      updatedAt,
    });
    expect(content.title + content.content).not.toMatch(/[{}]|\*\*/);
  });

  it("says how long uploads are logged and how long rows of ended files are kept, as the settings say", async () => {
    const { content } = await publicContent("privacy");
    expect(content).toContain("the entry about it 30 days later");
    expect(content).toContain("the entries are deleted after 90 days");
    const other = new Client("", workerWith({ ...env, UPLOAD_LOG_DAYS: "365", ENDED_FILE_DAYS: "7" }));
    const longer = await (await other.fetch("/api/public-content/privacy")).json<PublicContent>();
    expect(longer.content).toContain("the entry about it 7 days later");
    expect(longer.content).toContain("the entries are deleted after 365 days");
  });

  it("answers 404 for unknown slugs [API-32]", async () => {
    for (const slug of ["nothing", "TERMS", "%00", "..%2Fterms"]) {
      expect((await visitor.fetch(`/api/public-content/${slug}`)).status).toBe(404);
    }
  });
});

describe("GET /api/public-seo", () => {
  it.each([
    ["home", "/"],
    ["features", "/features"],
    ["terms", "/terms"],
  ])("answers the SEO record of %s with the path %s [API-28]", async (name, page) => {
    const seo: PublicSeo = await (await visitor.fetch(`/api/public-seo/${name}`)).json();
    expect(seo).toMatchObject({ page, ogTitle: null, structuredData: null, updatedAt: "2026-11-21T00:00:00.000Z" });
    expect(seo.title + seo.description + seo.keywords).not.toMatch(/[{}]/);
  });

  it("answers every field of a record [API-28]", async () => {
    const record = {
      page: "/complete",
      title: "A title",
      description: "A description.",
      keywords: "one, two",
      ogTitle: "Open Graph's title",
      ogDescription: "Open Graph's description.",
      ogImage: "https://example.com/og.png",
      twitterTitle: "Twitter's title",
      twitterDescription: "Twitter's description.",
      twitterImage: "https://example.com/twitter.png",
      structuredData: '{"@type":"Thing"}',
      canonicalUrl: "https://example.com/complete",
    };
    const updatedAt = "2027-01-02T00:00:00.000Z";
    stopClockAt(Date.parse(updatedAt));
    await createSeo(services, ADMIN, seoRequest.parse(record), Date.now());
    const answer = await visitor.fetch("/api/public-seo/complete");
    expect(await answer.json()).toEqual({ ...record, updatedAt });
  });

  it("answers 404 for a page without a record", async () => {
    expect((await visitor.fetch("/api/public-seo/nothing")).status).toBe(404);
  });
});

const SEEDED = "('about', 'privacy', 'terms')";

describe("the migration of the first texts", () => {
  it("the first texts can be inserted twice without duplicates or overwritten edits [PAGE-28, SEO-6]", async () => {
    await runSql("update page_content set content = 'Mine.' where slug = 'about'");
    await runSql("update seo_content set title = 'Mine' where page = '/'");
    const seed = env.TEST_MIGRATIONS.find(({ name }) => name.includes("first_texts")) ?? expect.unreachable();
    for (const query of seed.queries) await env.DB.prepare(query).run();
    expect(await rowOf(`select count(*) as n from page_content where slug in ${SEEDED}`)).toEqual({ n: 3 });
    expect(await rowOf("select content from page_content where slug = 'about'")).toEqual({ content: "Mine." });
    expect(await rowOf("select title, count(*) as n from seo_content where page = '/'")).toEqual({
      title: "Mine",
      n: 1,
    });
    await runSql("delete from seo_content where page = '/'");
    await runSql("delete from page_content where slug = 'about'");
    for (const query of seed.queries) await env.DB.prepare(query).run();
    expect((await publicContent("about")).content).toContain("<h2");
  });
});

describe("editing content", () => {
  it("page texts can be created, changed, listed and deleted; slugs are unique", async () => {
    await runSql(`delete from page_content where slug not in ${SEEDED}`);
    const page = { title: "Cookies", slug: "cookies", content: "Some *text*." };
    const start = Date.now();
    const created = await createPage(services, ADMIN, page, Date.now());
    expect(created).toMatchObject({ ...page, lastUpdatedBy: "admin" });
    await expect(createPage(services, ADMIN, page, Date.now())).rejects.toMatchObject({ code: "SLUG_TAKEN" });
    stopClockAt(start + DAY_MS);
    const updated = await updatePage(services, ADMIN, created.id, { ...page, content: "Other text." }, Date.now());
    expect(Date.parse(updated.updatedAt)).toBe(start + DAY_MS);
    vi.useRealTimers();
    expect((await publicContent("cookies")).content).toBe("<p>Other text.</p>\n");
    await expect(updatePage(services, ADMIN, created.id, { ...page, slug: "terms" }, Date.now())).rejects.toMatchObject(
      {
        code: "SLUG_TAKEN",
      },
    );
    await expect(updatePage(services, ADMIN, "nobody", page, Date.now())).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await listPages(services)).map(({ slug }) => slug)).toEqual(["about", "cookies", "privacy", "terms"]);
    await deletePage(services, ADMIN, created.id, Date.now());
    await expect(deletePage(services, ADMIN, created.id, Date.now())).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("SEO records can be created, changed, listed and deleted; pages are unique", async () => {
    const [about] = (await listSeoContent(services)).filter(({ page }) => page === "/about");
    const { id } = about ?? expect.unreachable();
    const seo = seoRequest.parse(about);
    await expect(createSeo(services, ADMIN, seo, Date.now())).rejects.toMatchObject({ code: "SEO_PAGE_TAKEN" });
    const created = await createSeo(services, ADMIN, { ...seo, page: "/blog" }, Date.now());
    await expect(changeSeo(services, ADMIN, created.id, seo, Date.now())).rejects.toMatchObject({
      code: "SEO_PAGE_TAKEN",
    });
    expect(await changeSeo(services, ADMIN, id, { ...seo, title: "Changed" }, Date.now())).toMatchObject({
      title: "Changed",
      page: "/about",
    });
    const seen: PublicSeo = await (await visitor.fetch("/api/public-seo/about")).json();
    expect(seen.title).toBe("Changed");
    await removeSeo(services, ADMIN, created.id, Date.now());
    await expect(removeSeo(services, ADMIN, created.id, Date.now())).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(changeSeo(services, ADMIN, created.id, seo, Date.now())).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("POST /api/contact", () => {
  const message = { name: " Ada ", email: "ada@example.com", subject: "Hello", message: "A message of some length." };

  it("a visitor's message is saved as unread with the sender's IP address and browser [API-33, CONT-7]", async () => {
    const response = await visitor.fetch("/api/contact", {
      method: "POST",
      headers: { "content-type": "application/json", "cf-connecting-ip": "198.51.100.7", "user-agent": "Browser/1" },
      body: JSON.stringify({ ...message, isRead: true, id: "mine" }),
    });
    expect(response.status).toBe(201);
    const row = await rowOf<Record<string, unknown>>(
      "select * from contact_submissions where ip_address = '198.51.100.7'",
    );
    expect(row).toMatchObject({ ...message, name: "Ada", is_read: 0, user_agent: "Browser/1" });
    expect(row.id).not.toBe("mine");
    expect(Number(row.created_at)).toBeGreaterThan(Date.now() - DAY_MS);
  });

  it.each([
    ["name", "A", "Name must be at least 2 characters."],
    ["email", "ada", "Please enter a valid email address."],
    ["subject", "Hi", "Subject must be at least 3 characters."],
    ["message", "too short", "Message must be at least 10 characters."],
    ["message", "x".repeat(1001), "Message cannot exceed 1000 characters."],
  ])("rejects %s %j [VAL-15, VAL-16, VAL-17, VAL-18, VAL-19]", async (field, value, errorMessage) => {
    const response = await visitor.post("/api/contact", { ...message, [field]: value });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: errorMessage, field }),
    ]);
  });

  it("an address can send three messages an hour; rejected ones do not count [LIM-9]", async () => {
    const api = createApp();
    const limited = { ...env, RATE_LIMITS: "on" };
    const send = (body: unknown) =>
      api.fetch(
        new Request(new URL("/api/contact", env.APP_ORIGIN), {
          method: "POST",
          headers: { "content-type": "application/json", "cf-connecting-ip": "203.0.113.77" },
          body: JSON.stringify(body),
        }),
        limited,
      );
    const statuses = [];
    for (const body of [{}, message, message, message, message]) statuses.push((await send(body)).status);
    expect(statuses).toEqual([400, 201, 201, 201, 429]);
  });
});
