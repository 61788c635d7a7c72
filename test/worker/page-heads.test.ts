import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { PublicSeo } from "#domain/wire.ts";
import worker from "#worker/index.ts";
import { readHead, type DocumentHead } from "../support/documents.ts";
import { PUBLIC_PAGES } from "../support/public-pages.ts";
import { runSql, Client } from "../support/worker.ts";

const visitor = new Client();

async function headOf(response: Response): Promise<DocumentHead> {
  return readHead(await response.text());
}

describe("the head of a page", () => {
  it.each(PUBLIC_PAGES)("the head of %s comes from its SEO record [PAGE-17, SEO-1, SEO-6]", async (path) => {
    const { title, meta, scripts } = await headOf(await visitor.fetch(path));
    const name = path === "/" ? "home" : path.slice(1);
    const seo: PublicSeo = await (await visitor.fetch(`/api/public-seo/${name}`)).json();
    const url = `${env.APP_ORIGIN}${path}`;
    const image = `${env.APP_ORIGIN}/og.png`;
    expect(title).toBe(seo.title);
    expect(meta).toMatchObject({
      description: seo.description,
      keywords: seo.keywords,
      canonical: url,
      "og:title": seo.title,
      "og:description": seo.description,
      "og:url": url,
      "og:image": image,
      "twitter:card": "summary_large_image",
      "twitter:title": seo.title,
      "twitter:description": seo.description,
      "twitter:image": image,
    });
    expect(meta.robots).toBeUndefined();
    expect(scripts).toHaveLength(1);
    expect(JSON.parse(scripts[0] ?? "")).toMatchObject({ "@context": "https://schema.org", url });
  });

  it("the home page's head names each plan's file size and no rating [SEO-2, SEO-3]", async () => {
    const { meta, scripts } = await headOf(await visitor.fetch("/"));
    for (const size of ["500 MB", "10 GB", "50 GB"]) expect(meta.description).toContain(size);
    expect(JSON.stringify(meta) + scripts.join()).not.toMatch(/aggregateRating|ratingValue|review|4\.8|1024/i);
  });

  it("a hostile SEO record is escaped [SEO-5]", async () => {
    const hostile = "</script><script>alert(1)</script><!-- \"'>";
    const json = JSON.stringify({ "@type": "Thing", name: `${hostile}\u2028` });
    await runSql(
      "update seo_content set title = ?1, description = ?1, keywords = ?1, og_title = ?1, structured_data = ?2 where page = '/features'",
      hostile,
      json,
    );
    const response = await visitor.fetch("/features");
    const body = await response.clone().text();
    const { title, meta, scripts } = await headOf(response);
    expect(scripts.map((script) => JSON.parse(script) as unknown)).toEqual([JSON.parse(json)]);
    expect([meta.description, meta.keywords, meta["og:title"]].map((text) => decode(text))).toEqual(
      Array(3).fill(hostile),
    );
    expect(decode(title)).toBe(hostile);
    expect(body).not.toMatch(/<script>alert/);
  });

  it.each(["/nothing/here", "/terms/of/nothing"])("the missing page %s has noindex [ERR-84]", async (path) => {
    const response = await visitor.fetch(path);
    expect(response.status).toBe(404);
    const { title, meta, scripts } = await headOf(response);
    expect(title).toMatch(/^Page Not Found/);
    expect([meta.robots, meta.canonical, scripts.length]).toEqual(["noindex", undefined, 0]);
  });

  it("download pages have noindex", async () => {
    const { meta, scripts } = await headOf(await visitor.fetch("/download/nothing"));
    expect([meta.robots, meta.canonical, scripts.length]).toEqual(["noindex", undefined, 0]);
  });
});

function decode(text = ""): string {
  const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? entity);
}

/** An environment that counts database calls, or in which they all fail. */
function meteredDatabase({ broken = false } = {}): { env: Env; counts: { prepare: number; batch: number } } {
  const counts = { prepare: 0, batch: 0 };
  const DB: D1Database = new Proxy(env.DB, {
    get(target, name): unknown {
      // Sessions count like the binding itself.
      if (name === "withSession") return () => DB;
      if (name === "getBookmark") return () => null;
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (broken) throw new Error("D1 is out of order");
        if (name === "prepare" || name === "batch") counts[name] += 1;
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  return { env: { ...env, DB }, counts };
}

async function fetchWith(environment: Env, path: string): Promise<Response> {
  return worker.fetch(new Request(new URL(path, env.APP_ORIGIN)), environment, createExecutionContext());
}

describe("a visitor's page", () => {
  it.each([
    ["/terms", { prepare: 2, batch: 1 }],
    ["/features", { prepare: 1, batch: 0 }],
    ["/nothing", { prepare: 0, batch: 0 }],
  ])("%s makes at most one database call: %j", async (path, expected) => {
    const database = meteredDatabase();
    await (await fetchWith(database.env, path)).text();
    expect(database.counts).toEqual(expected);
  });

  it.each([
    ["/terms", "The Terms of Service could not be loaded. Please try refreshing the page."],
    ["/privacy", "The Privacy Policy could not be loaded. Please try refreshing the page."],
    ["/about", "The About page could not be loaded. Please try refreshing the page."],
  ])(
    "%s shows an error if its text cannot be read or does not exist [PAGE-19, PAGE-21, PAGE-23]",
    async (path, alert) => {
      const failed = await fetchWith(meteredDatabase({ broken: true }).env, path);
      expect([failed.status, await failed.text()]).toEqual([503, expect.stringContaining(alert)]);
      const slug = path.slice(1);
      await runSql("update page_content set slug = 'elsewhere' where slug = ?", slug);
      const missing = await visitor.fetch(path);
      await runSql("update page_content set slug = ? where slug = 'elsewhere'", slug);
      expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining(alert)]);
    },
  );

  it("a page without a stored text is shown with default texts if its SEO record cannot be read", async () => {
    const response = await fetchWith(meteredDatabase({ broken: true }).env, "/features");
    expect(response.status).toBe(200);
    const { title, meta } = await headOf(response);
    expect(title).toMatch(/^Features/);
    expect(meta.canonical).toBe(`${env.APP_ORIGIN}/features`);
  });
});

describe("generated files", () => {
  it("the sitemap, robots.txt and llms.txt follow the SEO records [DOOR-9, SEO-7, SEO-8, SEO-9]", async () => {
    await runSql("delete from seo_content where page = '/direct-upload'");
    await runSql(
      "insert into seo_content (id, page, title, description, keywords, created_at, updated_at) values ('x', '/no-such-page', 'x', 'x', 'x', 0, 0)",
    );
    await runSql(
      "update seo_content set title = 'Ours [1]', updated_at = ? where page = '/about'",
      Date.UTC(2027, 0, 2),
    );
    const read = async (path: string) => {
      const response = await visitor.fetch(path);
      return { type: response.headers.get("content-type"), text: await response.text() };
    };
    const sitemap = await read("/sitemap.xml");
    expect(sitemap.type).toMatch(/^application\/xml/);
    expect(sitemap.text).toContain(`<loc>${env.APP_ORIGIN}/about</loc><lastmod>2027-01-02T00:00:00.000Z</lastmod>`);
    const robots = await read("/robots.txt");
    expect(robots.type).toMatch(/^text\/plain/);
    expect(robots.text).toMatch(/^User-agent: \*\nAllow: \/\$\n/);
    expect(robots.text).toContain("\nDisallow: /dashboard\n");
    // Robots must be able to read a page to see its noindex.
    expect(robots.text).not.toMatch(/Disallow: \/(download)?\n/);
    expect(robots.text).toContain(`\nSitemap: ${env.APP_ORIGIN}/sitemap.xml\n`);
    const llms = await read("/llms.txt");
    expect(llms.text).toContain(`- [Ours 1](${env.APP_ORIGIN}/about): `);
    expect(llms.text).toMatch(/- Free: files up to 500 MB, kept up to 3 days/);
    for (const fact of [
      "a folder of up to 10,000 files",
      "A password, a limit of downloads and end-to-end encryption, on every plan",
      "Requests: a link through which anybody sends files to an account",
      `${env.APP_ORIGIN}/api/v1/openapi.json`,
      `npx ${env.APP_ORIGIN}/cli`,
    ]) {
      expect(llms.text).toContain(fact);
    }
    for (const { text } of [sitemap, robots, llms]) {
      expect(text).toContain("/features");
      expect(text).not.toMatch(/direct-upload|no-such-page|\/download/);
    }
  });

  it("the icons of the web manifest exist", async () => {
    const response = await visitor.fetch("/manifest.webmanifest");
    expect(response.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
    const { icons } = await response.json<{ icons: { src: string; type: string }[] }>();
    for (const { src, type } of [...icons, { src: "/og.png", type: "image/png" }]) {
      const icon = await env.ASSETS.fetch(new URL(src, env.APP_ORIGIN));
      expect([src, icon.status, icon.headers.get("content-type")]).toEqual([src, 200, type]);
      await icon.body?.cancel();
    }
  });
});
