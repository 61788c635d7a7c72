import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { workerWith } from "../support/worker-with-env.ts";

interface Route {
  id: string;
  module: string;
}

const built = async () => {
  const page = await (await workerWith(env)(new Request(env.APP_ORIGIN))).text();
  const version = /\/assets\/manifest-(\w+)\.js/.exec(page)?.[1] ?? "";
  const file = await env.ASSETS.fetch(`${env.APP_ORIGIN}/assets/manifest-${version}.js`);
  return { version, list: await file.text() };
};

/** A site that keeps the files of a former release, in which the scripts had other names, and which had no `/pricing`. */
async function siteWithFormer() {
  const { version, list } = await built();
  const former = list
    .replace(/"module":"([^"]+)\.js"/g, '"module":"$1-former.js"')
    .replace('"routes/pricing":', '"routes/elsewhere":');
  const assets = {
    fetch: (url: URL | string) =>
      String(url).endsWith("/assets/manifest-former.js")
        ? Promise.resolve(new Response(former))
        : String(url).endsWith("/assets/manifest-other.js")
          ? Promise.resolve(new Response("export {}"))
          : Promise.resolve(new Response("", { status: 404 })),
  };
  const send = workerWith({ ...env, ASSETS: assets as unknown as Fetcher });
  const ask = (of: string, ...paths: string[]) => {
    const query = new URLSearchParams([...paths.map((path): [string, string] => ["p", path]), ["version", of]]);
    return send(new Request(`${env.APP_ORIGIN}/__manifest?${query.toString()}`));
  };
  return { version, ask };
}

it("a page of a former release is told where its own scripts of another page are [OPS-1]", async () => {
  const { version, ask } = await siteWithFormer();
  const now = await (await ask(version, "/about", "/features")).json<Record<string, Route>>();
  const response = await ask("former", "/about", "/features");
  expect(response.status).toBe(200);
  const then = await response.json<Record<string, Route>>();
  expect(Object.keys(then)).toEqual(Object.keys(now));
  expect(Object.keys(then)).toEqual(expect.arrayContaining(["routes/about", "routes/features"]));
  for (const id of Object.keys(now)) expect(then[id]?.module).toBe(now[id]?.module.replace(".js", "-former.js"));
});

it("a page is loaded anew if its release is not kept, or did not have the other page", async () => {
  const { ask } = await siteWithFormer();
  for (const [of, path] of [
    ["former", "/pricing"],
    ["gone", "/about"],
    // A module of ours whose name begins in the same way.
    ["other", "/about"],
    ["../manifest-former", "/about"],
  ] as const) {
    const response = await ask(of, path);
    expect([of, response.status, response.headers.get("x-remix-reload-document")]).toEqual([of, 204, "true"]);
  }
});
