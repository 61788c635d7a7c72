import { choose, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpQuietly } from "./support/accounts.ts";

/** Every way that sends bytes by XMLHttpRequest: to storage, through the server, and in chunks. */
const WAYS = [
  { address: "/direct-upload", to: "/s3/", isStorageClosed: false },
  { address: "/direct-upload", to: "/api/direct-upload/parts/", isStorageClosed: true },
  { address: "/chunked-upload", to: "/api/chunked-upload/chunk", isStorageClosed: false },
];

for (const { address, to, isStorageClosed } of WAYS) {
  // Firefox takes an empty answer without a type for XML, and writes to the console that it is none.
  test(`an answer is read as text, never parsed as a document: ${to}`, async ({ page, expectErrors }) => {
    expectErrors(/ERR_CONNECTION_REFUSED/);
    await page.addInitScript(() => {
      const requests: { url: string; responseType: string }[] = [];
      Object.assign(globalThis, { requests });
      const send = Reflect.get(XMLHttpRequest.prototype, "send") as (body: unknown) => void;
      XMLHttpRequest.prototype.send = function (body) {
        const { responseType } = this;
        // Before the page's own listener, which ends the request.
        this.addEventListener("readystatechange", () => {
          if (this.readyState === this.HEADERS_RECEIVED) requests.push({ url: this.responseURL, responseType });
        });
        send.call(this, body);
      };
    });
    await signUpQuietly(page);
    if (isStorageClosed) {
      await page.route("**/cdn-cgi/local/r2/s3/**", (route) => route.abort("connectionrefused"));
    }
    await page.goto(address);
    await choose(page, await randomFile("read-as-text.bin", 1000));
    await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
    const requests = await page.evaluate(
      () => Reflect.get(globalThis, "requests") as { url: string; responseType: string }[],
    );
    expect(requests.map(({ responseType }) => responseType)).toEqual(["text"]);
    expect(requests[0]?.url).toContain(to);
  });
}
