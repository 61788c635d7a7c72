import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { PublicContent } from "#domain/wire.ts";
import worker from "#worker/index.ts";

const PAGES = ["/", "/features", "/pricing", "/about", "/terms", "/privacy", "/contact"];

async function open(path: string, setting: "on" | "off", language = "en"): Promise<Response> {
  const headers = { "accept-language": language };
  const environment = { ...env, ANONYMOUS_UPLOADS: setting };
  return worker.fetch(new Request(new URL(path, env.APP_ORIGIN), { headers }), environment, createExecutionContext());
}

/** A page's text, with hidden text and structured data, without scripts. */
async function textOf(response: Response): Promise<string> {
  let text = "";
  const take = {
    text(chunk: { text: string }) {
      text += chunk.text;
    },
  };
  const rewriter = new HTMLRewriter()
    .on("p", take)
    .on("li", take)
    .on("dt", take)
    .on("dd", take)
    .on('script[type="application/ld+json"]', take);
  await rewriter.transform(response).text();
  return text.replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
}

/** Sentences about accounts, by setting, page and language. Page texts are English. */
const SENTENCES: Record<"on" | "off", [path: string, language: string, sentence: string][]> = {
  off: [
    ["/features", "en", "Yes. An account is free and takes a minute"],
    ["/features", "de", "Ja. Ein Konto ist kostenlos und in einer Minute angelegt"],
    ["/", "en", "Yes. An account is free and takes a minute"],
    ["/", "de", "Ja. Ein Konto ist kostenlos und in einer Minute angelegt"],
    ["/", "en", "You need a free account to upload. No account is needed to download."],
    ["/", "de", "Zum Hochladen brauchst du ein kostenloses Konto. Zum Herunterladen ist kein Konto nötig."],
    ["/terms", "en", "You need a free account to upload. Nobody needs one to download."],
  ],
  on: [
    [
      "/features",
      "en",
      "No. Without an account you can upload files of up to 500 MB, and they are kept for up to 3 days.",
    ],
    [
      "/features",
      "de",
      "Nein. Ohne Konto kannst du Dateien bis 500\u00a0MB hochladen, und sie werden bis zu 3 Tage aufbewahrt.",
    ],
    ["/", "en", "No. Without an account you can upload files of up to 500 MB, and they are kept for up to 3 days."],
    [
      "/",
      "de",
      "Nein. Ohne Konto kannst du Dateien bis 500\u00a0MB hochladen, und sie werden bis zu 3 Tage aufbewahrt.",
    ],
    ["/", "en", "You can upload files of up to 500 MB without an account. No account is needed to download."],
    ["/", "de", "Dateien bis 500\u00a0MB kannst du ohne Konto hochladen. Zum Herunterladen ist kein Konto nötig."],
    ["/terms", "en", "You can upload files of up to 500 MB without an account. Nobody needs one to download."],
    ["/privacy", "en", "If you upload without an account, another one proves for 10 days that the upload is yours."],
  ],
};

/** Text that no page may have under the other setting. */
const UNTRUE = {
  off: /without an account you can|you can upload .* without an account|if you upload without|ohne Konto/i,
  on: /You need a(?:n| free) account to upload|needs a free account|An account is needed|upload\? Yes\.|Yes\. An account|brauchst du ein (?:kostenloses )?Konto|braucht man ein Konto|Ja\. Ein Konto/i,
} as const;

for (const setting of ["off", "on"] as const) {
  describe(`where ANONYMOUS_UPLOADS is ${setting}`, () => {
    it.each(SENTENCES[setting])("%s says so in %s: %s [ROLE-3]", async (path, language, sentence) => {
      expect(await textOf(await open(path, setting, language))).toContain(sentence);
    });

    it.each(PAGES.flatMap((path) => [[path, "en"] as const, [path, "de"] as const]))(
      "%s says nothing else in %s",
      async (path, language) => {
        const text = await textOf(await open(path, setting, language));
        expect(text.length).toBeGreaterThan(100);
        expect(text).not.toMatch(UNTRUE[setting]);
      },
    );

    it("the features page's structured data says so", async () => {
      let json = "";
      const rewriter = new HTMLRewriter().on('script[type="application/ld+json"]', {
        text(chunk) {
          json += chunk.text;
        },
      });
      await rewriter.transform(await open("/features", setting, "de")).text();
      const { mainEntity } = JSON.parse(json) as { mainEntity: { name: string; acceptedAnswer: { text: string } }[] };
      const [first] = mainEntity;
      expect(first?.name).toBe("Do I need an account to upload?");
      expect(first?.acceptedAnswer.text).toMatch(setting === "on" ? /^No\. Without an account/ : /^Yes\. An account/);
    });

    it("/llms.txt says so", async () => {
      const text = await (await open("/llms.txt", setting)).text();
      expect(text).toContain(
        setting === "on"
          ? "You can upload files of up to 500 MB without an account. Whoever has a download link can open it without one, until the file expires."
          : "You need a free account to upload. Whoever has a download link can open it without one, until the file expires.",
      );
      expect(text).not.toMatch(UNTRUE[setting]);
    });

    it.each(["terms", "privacy", "about"])("the call for %s fills in every fact", async (slug) => {
      const { content } = await (await open(`/api/public-content/${slug}`, setting)).json<PublicContent>();
      expect(content).not.toMatch(/[{}]/);
      expect(content).not.toMatch(UNTRUE[setting]);
    });
  });
}
