import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readHead } from "../support/documents.ts";
import { PUBLIC_PAGES } from "../support/public-pages.ts";
import { runSql, Client } from "../support/worker.ts";

const visitor = new Client();

describe("a public page's SEO record", () => {
  it.each(PUBLIC_PAGES)("the head of %s shows every field of its SEO record [SEO-1]", async (page) => {
    await runSql(
      `update seo_content set
         title = 'Title A', description = 'Description B', keywords = 'keyword c, keyword d',
         og_title = 'Graph title E', og_description = 'Graph description F', og_image = '/graph-g.png',
         twitter_title = 'Card title H', twitter_description = 'Card description I', twitter_image = '/card-j.png',
         canonical_url = 'https://example.com/canonical-k', structured_data = '{"@type":"Thing","name":"Data L"}'
       where page = ?`,
      page,
    );
    const { title, meta, scripts } = await readHead(await (await visitor.fetch(page)).text());
    expect(title).toBe("Title A");
    expect(meta).toMatchObject({
      description: "Description B",
      keywords: "keyword c, keyword d",
      "og:title": "Graph title E",
      "og:description": "Graph description F",
      "og:image": `${env.APP_ORIGIN}/graph-g.png`,
      "twitter:title": "Card title H",
      "twitter:description": "Card description I",
      "twitter:image": `${env.APP_ORIGIN}/card-j.png`,
      canonical: "https://example.com/canonical-k",
      "og:url": "https://example.com/canonical-k",
    });
    expect(scripts.map((script) => JSON.parse(script) as unknown)).toEqual([{ "@type": "Thing", name: "Data L" }]);
  });
});
