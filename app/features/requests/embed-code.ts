/**
 * A script of somebody's own page, which sends into a request with Uppy.
 * @param link `{origin}/r/{token}`; the token is what the calls carry
 */
export function embedCode(link: string): string {
  const { origin, pathname } = new URL(link);
  const token = pathname.split("/").at(-1) ?? "";
  return `import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

const uppy = new Uppy({ meta: { transfer: crypto.randomUUID() } }).use(Tus, {
  endpoint: "${origin}/api/v1/tus",
  headers: { Authorization: "Bearer ${token}" },
  chunkSize: 16_777_216,
  retryDelays: [0, 1000, 5000, 15000, 60000],
});

const input = document.querySelector("input[type=file]");
input.addEventListener("change", async () => {
  for (const file of input.files) uppy.addFile({ name: file.name, data: file });
  const { failed } = await uppy.upload();
  console.log(failed.length === 0 ? "Everything has arrived." : "Some files were not sent.");
});`;
}
