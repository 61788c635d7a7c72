import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LOCALES } from "#domain/locale.ts";
import { PLANS } from "#domain/plans.ts";
import * as de from "#messages/de/index.ts";
import * as en from "#messages/en/index.ts";
import { PUBLIC_PAGES } from "../support/public-pages.ts";
import { Client } from "../support/worker.ts";

const visitor = new Client();

/** Common plan names of other products. */
const OTHER_NAMES = /\b(Premium|Pro|Plus|Basic|Basis|Starter|Business|Enterprise|Unlimited|Gold|Silver|Max)\b/g;

/** "Free" counts only within a sentence: at its beginning it may be an ordinary word. */
const OWN_NAMES = /\b(Professional|Ultimate)\b|(?<=[a-zäöüß,] )Free\b/g;

const PATHS = [...PUBLIC_PAGES, "/llms.txt", "/nothing/here"];

describe("a plan's name", () => {
  it("plans are named Free, Professional and Ultimate", () => {
    expect(PLANS.map(({ name }) => name)).toEqual(["Free", "Professional", "Ultimate"]);
  });

  it.each(PATHS.flatMap((path) => LOCALES.map((locale) => [path, locale] as const)))(
    "no other plan name is on %s in %s [PAGE-10]",
    async (path, locale) => {
      const response = await visitor.fetch(path, { headers: { "accept-language": locale } });
      const text = (await response.text()).replace(/<script type="module".*?<\/script>/gs, "");
      expect(text.length).toBeGreaterThan(500);
      expect(text.match(OTHER_NAMES)).toBeNull();
    },
  );

  it.each([
    ["en", en],
    ["de", de],
  ])("every message takes plan names from the plans' table: %s", (_locale, catalogue) => {
    for (const [group, messages] of Object.entries(catalogue)) {
      for (const [name, text] of Object.entries(messages)) {
        expect.soft(text.match(OTHER_NAMES), `${group}.${name}`).toBeNull();
        expect.soft(text.match(OWN_NAMES), `${group}.${name}`).toBeNull();
      }
    }
  });

  it("every initial text and head takes plan names from the plans' table", async () => {
    const { results } = await env.DB.prepare(
      "select page as name, title || description || keywords as text from seo_content union all select slug, title || content from page_content",
    ).all<{ name: string; text: string }>();
    expect(results.length).toBeGreaterThan(10);
    for (const { name, text } of results) {
      expect.soft(text.match(OTHER_NAMES), name).toBeNull();
      expect.soft(text.match(OWN_NAMES), name).toBeNull();
    }
  });
});
