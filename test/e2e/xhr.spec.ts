import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";

/** All transports use XMLHttpRequest. */
const TRANSPORTS = [
  { address: "/direct-upload", to: "/s3/", isStorageClosed: false },
  { address: "/direct-upload", to: "/api/direct-upload/parts/", isStorageClosed: true },
  { address: "/chunked-upload", to: "/api/chunked-upload/chunk", isStorageClosed: false },
];

for (const { address, to, isStorageClosed } of TRANSPORTS) {
  // Firefox parses an empty response without a type as XML, and logs an error.
  test(`a response is read as text, never parsed as a document: ${to}`, async ({ page, expectErrors }) => {
    expectErrors(/ERR_CONNECTION_REFUSED/);
    await page.addInitScript(() => {
      const requests: { url: string; responseType: string }[] = [];
      Object.assign(globalThis, { requests });
      const send = Reflect.get(XMLHttpRequest.prototype, "send") as (body: unknown) => void;
      XMLHttpRequest.prototype.send = function (body) {
        const { responseType } = this;
        // Runs before the page's own listener, which aborts the request.
        this.addEventListener("readystatechange", () => {
          if (this.readyState === this.HEADERS_RECEIVED) requests.push({ url: this.responseURL, responseType });
        });
        send.call(this, body);
      };
    });
    await signUpByApi(page);
    if (isStorageClosed) {
      await page.route("**/cdn-cgi/local/r2/s3/**", (route) => route.abort("connectionrefused"));
    }
    await page.goto(address);
    await chooseFile(page, await randomFile("read-as-text.bin", 1000));
    await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
    const requests = await page.evaluate(
      () => Reflect.get(globalThis, "requests") as { url: string; responseType: string }[],
    );
    expect(requests.map(({ responseType }) => responseType)).toEqual(["text"]);
    expect(requests[0]?.url).toContain(to);
  });
}
