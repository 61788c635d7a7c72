import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { signUpByApi } from "./support/accounts.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";

/** The double of Thunderbird has the add-on's pages at the site's own origin, because tests reach no other host. */
const ORIGIN = process.env.E2E_ORIGIN ?? "";
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

interface Doubled {
  listeners: Record<string, (...given: unknown[]) => unknown>;
  accounts: Record<string, Record<string, unknown>>;
  opened: string[];
}

type Answer = { url?: string; aborted?: boolean; error?: string; templateInfo?: Record<string, unknown> };

/** Doubles Thunderbird alone: the pages, the engine and the server are the real ones. */
async function openAddOn(page: Page): Promise<void> {
  const texts = JSON.parse(readFileSync("build/thunderbird/_locales/en/messages.json", "utf8")) as object;
  await page.route("**/*", async (route) => {
    const request = route.request();
    const path = join("build/thunderbird", new URL(request.url()).pathname);
    if (extname(path) !== "" && existsSync(path)) {
      const contentType = TYPES[extname(path)] ?? "application/octet-stream";
      await route.fulfill({ body: readFileSync(path), contentType });
      return;
    }
    // As Thunderbird does: adds the origin, asks the add-on for the headers, and applies no CORS to an address that the
    // manifest names.
    const headersOfPage = { ...request.headers(), origin: "moz-extension://add-on" };
    const requestHeaders = Object.entries(headersOfPage).map(([name, value]) => ({ name, value }));
    const kept = await page.evaluate(
      (sent) =>
        (window as unknown as { doubled: Doubled }).doubled.listeners.onBeforeSendHeaders?.(sent) as {
          requestHeaders: { name: string; value: string }[];
        },
      { url: request.url(), originUrl: `${ORIGIN}/background.html`, requestHeaders },
    );
    const headers = Object.fromEntries(kept.requestHeaders.map(({ name, value }) => [name, value]));
    expect(Object.keys(headers)).not.toContain("origin");
    const response = await route.fetch({ headers, maxRedirects: 5 }).catch(() => null);
    // The add-on has given the request up.
    if (response === null) return;
    await route.fulfill({
      response,
      headers: {
        ...response.headers(),
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "*",
      },
    });
  });
  await page.addInitScript(
    ({ messages, own }) => {
      const inFrame = window.parent as unknown as { browser?: unknown };
      if (window.parent !== window) {
        Object.assign(window, { browser: inFrame.browser });
        return;
      }
      const doubled: Doubled = { listeners: {}, accounts: {}, opened: [] };
      const on = (name: string) => ({
        addListener: (listener: (...given: unknown[]) => unknown) => {
          doubled.listeners[name] = listener;
        },
      });
      const kept = new Map<string, unknown>();
      const browser = {
        cloudFile: {
          getAllAccounts: () => Promise.resolve([{ id: "a1" }]),
          updateAccount: (id: string, change: object) => {
            doubled.accounts[id] = { ...doubled.accounts[id], ...change };
            return Promise.resolve();
          },
          onFileUpload: on("onFileUpload"),
          onFileUploadAbort: on("onFileUploadAbort"),
          onFileDeleted: on("onFileDeleted"),
          onFileRename: on("onFileRename"),
          onAccountDeleted: on("onAccountDeleted"),
        },
        i18n: {
          getUILanguage: () => "en-US",
          getMessage: (name: string, values: string[] = []) => {
            const { message = "", placeholders = {} } =
              (messages as Record<string, { message: string; placeholders?: Record<string, { content: string }> }>)[
                name
              ] ?? {};
            return message.replaceAll(
              /\$(\w+)\$/g,
              (_, key: string) => values[Number(placeholders[key]?.content.slice(1)) - 1] ?? "",
            );
          },
        },
        runtime: {
          getURL: (path: string) => `${own}/${path}`,
          getManifest: () => ({ version: "0.1.0" }),
          sendMessage: (message: unknown) => Promise.resolve(doubled.listeners.onMessage?.(message)),
          onMessage: on("onMessage"),
        },
        storage: {
          local: {
            get: (name: string) => Promise.resolve(kept.has(name) ? { [name]: kept.get(name) } : {}),
            set: (values: object) => {
              for (const [name, value] of Object.entries(values)) kept.set(name, value);
              return Promise.resolve();
            },
            remove: (name: string) => {
              kept.delete(name);
              return Promise.resolve();
            },
          },
        },
        webRequest: { onBeforeSendHeaders: on("onBeforeSendHeaders") },
        windows: {
          openDefaultBrowser: (url: string) => {
            doubled.opened.push(url);
            return Promise.resolve();
          },
        },
      };
      Object.assign(window, { browser, doubled });
    },
    { messages: texts, own: ORIGIN },
  );
  // `goto` of a page with scripts waits for pages of the site.
  await page.goto(`${ORIGIN}/settings.css`);
  await page.evaluate(() => location.assign("/background.html"));
  const names = () => page.evaluate(() => Object.keys((window as unknown as { doubled: Doubled }).doubled.listeners));
  await expect(async () => expect(await names()).toContain("onMessage")).toPass();
}

/** Opens the settings of the account, as Thunderbird shows them. */
async function openSettings(page: Page) {
  await page.evaluate(() => {
    const frame = document.createElement("iframe");
    frame.src = "/settings.html?accountId=a1";
    document.body.replaceChildren(frame);
  });
  return page.frameLocator("iframe");
}

const doubledIn = (page: Page): Promise<Omit<Doubled, "listeners">> =>
  page.evaluate(() => {
    const { accounts, opened } = (window as unknown as { doubled: Doubled }).doubled;
    return { accounts, opened };
  });

/** Signs the add-on in by an API key of the person, without the page of the code. */
async function signIn(page: Page, person: Page, origin: string): Promise<void> {
  const settings = await openSettings(page);
  await settings.getByLabel("Address of the site").fill(origin);
  await settings.getByRole("button", { name: "Sign in" }).click();
  const code = settings.locator(".code");
  await expect(code).toHaveText(/^[B-Z]{4}-[B-Z]{4}$/);
  const approved = await person.request.post("/api/auth/device/approve", {
    data: { userCode: await code.textContent() },
  });
  expect(approved.status()).toBe(200);
  await expect(settings.getByText(/^Signed in as /)).toBeVisible({ timeout: 20_000 });
}

const attach = (page: Page, id: number, name: string, bytes: number): Promise<Answer> =>
  page.evaluate(
    ([fileId, fileName, size]) =>
      (window as unknown as { doubled: Doubled }).doubled.listeners.onFileUpload?.(
        { id: "a1" },
        {
          id: fileId,
          name: fileName,
          data: new File([new Uint8Array(size).fill(7)], "other name", { lastModified: 1 }),
        },
      ) as Answer,
    [id, name, bytes] as const,
  );

const call = (page: Page, listener: string, fileId: number, ...more: string[]): Promise<Answer> =>
  page.evaluate(
    ([name, id, rest]) =>
      (window as unknown as { doubled: Doubled }).doubled.listeners[name]?.({ id: "a1" }, id, ...rest) as Answer,
    [listener, fileId, more] as const,
  );

test("the add-on signs in by a code, and sends, renames and deletes an attachment [TB-1, TB-2, TB-3]", async ({
  page,
  openBrowser,
}) => {
  test.slow();
  const email = await signUpByApi(page);
  const addOn = await openBrowser();
  await openAddOn(addOn);
  expect(await attach(addOn, 1, "early.bin", 10)).toEqual({
    error: "You are not signed in. Open the settings of this account under Attachments.",
  });
  await signIn(addOn, page, ORIGIN);
  const settings = await openSettings(addOn);
  await expect(settings.getByText(`Signed in as ${email} at ${new URL(ORIGIN).host}.`)).toBeVisible();
  await expect(settings.getByText(/^Files up to 500 MB\. This month, 2 GB of 2 GB are left\.$/)).toBeVisible();
  const { accounts, opened } = await doubledIn(addOn);
  expect(opened).toEqual([`${ORIGIN}/device`]);
  expect(accounts.a1).toEqual({
    configured: true,
    uploadSizeLimit: 500 * MIB,
    spaceUsed: 0,
    spaceRemaining: 2048 * MIB,
  });

  const size = 20 * MIB + 3;
  const sent = await attach(addOn, 2, "Large.bin", size);
  expect(sent).toMatchObject({
    url: expect.stringMatching(/\/download\/[\w-]{22}$/),
    templateInfo: { service_name: "Mayfly", service_url: ORIGIN },
  });
  const downloadId = sent.url?.split("/").at(-1) ?? "";
  const infoOf = () => page.request.get(`/api/files/download/${downloadId}`);
  const info = (await (await infoOf()).json()) as { filename: string; size: number; expiresAt: string };
  expect(info).toMatchObject({ filename: "Large.bin", size });
  expect(sent.templateInfo?.download_expiry_date).toMatchObject({ timestamp: Date.parse(info.expiresAt) });
  const bytes = await (await page.request.get(`/api/files/download/${downloadId}/content`)).body();
  expect(sha256Of(bytes)).toBe(sha256Of(new Uint8Array(size).fill(7)));
  await expect.poll(async () => (await doubledIn(addOn)).accounts.a1?.spaceUsed).toBe(size);

  expect(await call(addOn, "onFileRename", 2, "Renamed.bin")).toEqual({ url: sent.url });
  expect(await (await infoOf()).json()).toMatchObject({ filename: "Renamed.bin" });
  await call(addOn, "onFileDeleted", 2);
  expect((await infoOf()).status()).toBe(410);
  // Nothing is left to delete, and an unknown attachment is none of ours.
  await call(addOn, "onFileDeleted", 2);

  await settings.getByRole("button", { name: "Sign out" }).click();
  await expect(settings.getByLabel("Address of the site")).toBeVisible();
  expect((await doubledIn(addOn)).accounts.a1?.configured).toBe(false);
  expect(
    await query(`select count(*) as n from api_keys where revoked_at is null and name = 'Thunderbird'
    and user_id = (select id from users where email = '${email}')`),
  ).toEqual([{ n: 0 }]);
});

test("an upload is stopped, and a file that the plan does not allow is refused with the reason [TB-2, TB-4]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  test.slow();
  expectErrors(/status of 40[13]/);
  const email = await signUpByApi(page);
  const addOn = await openBrowser();
  await openAddOn(addOn);
  await signIn(addOn, page, ORIGIN);
  await addOn.route(/partNumber=2&/, () => undefined);
  const stopped = attach(addOn, 5, "stopped.bin", 20 * MIB);
  const statusOf = async () => {
    const [row] = await query("select status from files where filename = 'stopped.bin' order by rowid desc limit 1");
    return row?.status;
  };
  await expect.poll(statusOf).toBe("uploading");
  await call(addOn, "onFileUploadAbort", 5);
  expect(await stopped).toEqual({ aborted: true });
  await expect.poll(statusOf).toBe("cancelled");

  await query(`update users set monthly_upload_total = 2147483648 where email = '${email}'`);
  const refused = await attach(addOn, 6, "more.bin", 1000);
  expect(refused.error).toMatch(/^more\.bin \(1000 Bytes\) was not sent: ./);
  expect((await doubledIn(addOn)).accounts.a1?.spaceRemaining).toBe(0);

  await query(`update api_keys set revoked_at = 1 where user_id = (select id from users where email = '${email}')`);
  expect(await attach(addOn, 7, "later.bin", 10)).toEqual({
    error: "The sign-in has ended. Sign in again in the settings of this account.",
  });
  expect((await doubledIn(addOn)).accounts.a1?.configured).toBe(false);
});
