import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build } from "vite";

/** A page of somebody else's site, with its own origin. */
export class OtherSite {
  /** Of the page's body. */
  html = "";
  /** One script, which runs after the body is there. */
  script = "";
  readonly #server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    const icon = `<link rel="icon" href="data:,">`;
    response.end(`<!doctype html>${icon}<body>${this.html}<script>${this.script}</script></body>`);
  });

  static open(): Promise<OtherSite> {
    const site = new OtherSite();
    return new Promise((opened) => {
      site.#server.listen(0, () => {
        opened(site);
      });
    });
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** @param module JavaScript that imports packages @returns it as one script */
export async function bundle(module: string): Promise<string> {
  await mkdir(resolve(".tmp"), { recursive: true });
  // Inside the repository, so that it finds the packages.
  const folder = await mkdtemp(resolve(".tmp/other-site-"));
  try {
    const entry = `${folder}/page.js`;
    await writeFile(entry, module);
    const built = await build({
      configFile: false,
      logLevel: "error",
      build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "example" } },
      define: { "process.env.NODE_ENV": '"production"' },
    });
    const [output] = Array.isArray(built) ? built : [built];
    if (!output || !("output" in output)) throw new Error("the page was not built");
    return output.output[0].code.replaceAll("</script", "<\\/script");
  } finally {
    await rm(folder, { recursive: true });
  }
}
