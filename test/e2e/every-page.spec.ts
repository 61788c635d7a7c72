import type { Page } from "@playwright/test";
import { openAdmin } from "./support/admin.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";

const FOR_VISITORS = [
  "/",
  "/pricing",
  "/features",
  "/about",
  "/contact",
  "/privacy",
  "/terms",
  "/share",
  "/chunked-upload",
  "/direct-upload",
  "/developers",
  "/developers/reference",
  "/email-diagnostic",
  "/admin",
  "/dev/mailbox",
  "/dev/sinks",
  "/reset-password?token=x",
  "/verify-email?token=x",
  "/not-me?token=x",
  "/keep-factor?token=x",
  "/sign-in-link",
  "/undo-email?token=x",
  "/download/AAAAAAAAAAAAAAAAAAAAAA",
  "/r/AAAAAAAAAAAAAAAAAAAAAA",
  "/unsubscribe/x",
  "/no/such/page",
];
const FOR_MEMBERS = [
  "/dashboard",
  "/dashboard/requests",
  "/dashboard/received",
  "/dashboard/no-such-file",
  "/account",
  "/account/billing-history",
  "/account/security",
  "/account/notices",
  "/device",
];

const FOOTER = ["/features", "/pricing", "/developers", "/about", "/contact", "/privacy", "/terms"];

/** Reads the server's HTML, not the hydrated page. */
async function readFrame(page: Page, path: string) {
  const html = await (await page.request.get(path)).text();
  return page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    const all = (selector: string) => [...parsed.querySelectorAll(selector)];
    return {
      header: all("header nav li").map(({ textContent }) => textContent),
      buttons: all("header nav li button").map(({ textContent }) => textContent),
      footer: all("footer nav a").map((link) => link.getAttribute("href")),
      copyright: all("footer a")
        .filter(({ textContent }) => textContent === "©")
        .map((link) => link.getAttribute("href")),
    };
  }, html);
}

test("every page has the header with Log In and Sign Up, the footer, and the sign-in dialog [NAV-9]", async ({
  page,
  expectErrors,
}) => {
  test.slow();
  expectErrors(/400|404/);
  const frame = { footer: FOOTER, copyright: ["/admin"] };
  const visitors = { ...frame, header: ["Home", "Pricing", "Log In", "Sign Up"], buttons: ["Log In", "Sign Up"] };
  const members = {
    ...frame,
    header: ["Home", "Pricing", "Dashboard", "Account", "Log Out"],
    buttons: ["Log Out"],
  };
  const dialog = page.getByRole("dialog");
  for (const path of FOR_VISITORS) {
    await test.step(path, async () => {
      await page.goto(path);
      expect(await readFrame(page, path)).toEqual(visitors);
      await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
      await expect(dialog.getByRole("tab")).toHaveText(["Register", "Log In"]);
    });
  }
  for (const [path, tab] of [
    ["/login", "Log In"],
    ["/register", "Register"],
  ] as const) {
    await page.goto(path);
    expect(await readFrame(page, path)).toEqual(visitors);
    await expect(dialog.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
  }
  await openAdmin(page);
  expect(await readFrame(page, "/admin/dashboard")).toEqual(visitors);
  await signUpByApi(page);
  for (const path of FOR_MEMBERS) expect(await readFrame(page, path), path).toEqual(members);
});
