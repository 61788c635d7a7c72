import type { sharexConfig } from "#domain/key-examples.ts";

/** What ShareX sends for one file, and what it takes from the answer, as its documentation says. */
export function readSharex(config: ReturnType<typeof sharexConfig>, filename: string) {
  const fill = (text: string, response: string, header: (name: string) => string | null) =>
    text.replaceAll(/\{(filename|response|header:([\w-]+))\}/g, (_, what: string, name: string) =>
      what === "filename" ? encodeURIComponent(filename) : what === "response" ? response : (header(name) ?? ""),
    );
  return {
    method: config.RequestMethod,
    url: fill(config.RequestURL, "", () => null),
    headers: config.Headers,
    read: (response: string, headers: Headers) => {
      const header = (name: string) => headers.get(name);
      return { link: fill(config.URL, response, header), deletion: fill(config.DeletionURL, response, header) };
    },
  };
}
