import type { Locator, Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { chooseFileOfSize, chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { openGuards, passwordField } from "./support/guarded-links.ts";
import { chooseFolder, randomFolder } from "./support/many-files.ts";
import { pauseClock } from "./support/plans.ts";

const PHONE = { width: 390, height: 844 };

const VISITORS = ["Home", "Pricing", "Log In", "Sign Up"];
const SIGNED_IN = ["Home", "Pricing", "Dashboard", "Account", "Log Out"];
const PAGES = ["/", "/pricing", "/features", "/about", "/contact", "/privacy", "/terms", "/chunked-upload"];

function items(page: Page): Locator {
  return page.getByRole("navigation", { name: "Main" }).getByRole("listitem");
}

test("header and footer are the same on all pages, mark the current one and open the sign-in dialog [NAV-1, NAV-2, NAV-3, NAV-7, NAV-8]", async ({
  page,
}) => {
  for (const path of ["/", "/pricing", "/features"]) {
    await page.goto(path);
    await expect(items(page)).toHaveText(VISITORS);
    const current = page.getByRole("banner").locator("[aria-current=page]");
    if (path === "/" || path === "/pricing") await expect(current).toHaveAttribute("href", path);
    else await expect(current).toHaveCount(0);
    const footer = page.getByRole("contentinfo");
    for (const [name, href] of [
      ["Features", "/features"],
      ["Pricing", "/pricing"],
      ["Developers", "/developers"],
      ["About", "/about"],
      ["Contact Us", "/contact"],
      ["Privacy", "/privacy"],
      ["Terms", "/terms"],
    ] as const) {
      await expect(footer.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
    }
    await expect(footer.getByText("©")).toHaveAttribute("href", "/admin");
  }
  for (const [button, tab] of [
    ["Log In", "Log In"],
    ["Sign Up", "Register"],
  ] as const) {
    await page.getByRole("banner").getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
    await expect(dialog.getByRole("tab")).toHaveText(["Register", "Log In"]);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
  await signUp(page);
  await expect(items(page)).toHaveText(SIGNED_IN);
  await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("banner").locator("[aria-current=page]")).toHaveText("Dashboard");
});

test("the header highlights the current page's link, and no other [NAV-4]", async ({ page }) => {
  await signUp(page);
  for (const [path, name] of [
    ["/", "Home"],
    ["/pricing", "Pricing"],
    ["/dashboard", "Dashboard"],
  ] as const) {
    await page.goto(path);
    const links = items(page).getByRole("link");
    const underlined = await links.evaluateAll((all) =>
      all.filter((link) => getComputedStyle(link).textDecorationLine === "underline").map((link) => link.textContent),
    );
    expect(underlined).toEqual([name]);
    const [current, other] = await links.evaluateAll((all) =>
      ["page", null].map((mark) => {
        const link = all.find((one) => one.getAttribute("aria-current") === mark);
        return link && getComputedStyle(link).backgroundColor;
      }),
    );
    expect(current).not.toBe(other);
    expect(current).not.toBe("rgba(0, 0, 0, 0)");
  }
});

test("on a phone the header is a menu, closed by a choice, Escape or a press outside [NAV-5]", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/");
  const menu = page.getByRole("button", { name: "Menu" });
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await expect(items(page)).toHaveCount(0);
  await menu.click();
  await expect(menu).toHaveAttribute("aria-expanded", "true");
  await expect(items(page)).toHaveText(VISITORS);
  await page.keyboard.press("Escape");
  await expect(items(page)).toHaveCount(0);
  await expect(menu).toBeFocused();
  await menu.click();
  await page.mouse.click(200, 700);
  await expect(items(page)).toHaveCount(0);
  await menu.click();
  await items(page).getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL("/pricing");
  await expect(items(page)).toHaveCount(0);
  await menu.click();
  await items(page).getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByRole("button", { name: "Menu", includeHidden: true })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
});

test("the theme follows the system or the user's choice, which the server renders without a flash", async ({
  page,
  browser,
  baseURL,
}) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.getByRole("radio", { name: "Light theme" }).check();
  expect(await paper()).toBe(light);

  // Without scripts, the server must render the chosen theme.
  const scriptless = await browser.newContext({
    baseURL: baseURL ?? "",
    javaScriptEnabled: false,
    colorScheme: "dark",
  });
  await scriptless.addCookies(await page.context().cookies());
  const next = await scriptless.newPage();
  await next.goto("/pricing");
  await expect(next.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(next.locator("html")).toHaveCSS("background-color", light);
  await expect(next.getByRole("radio", { name: "Light theme" })).toBeChecked();
  await scriptless.close();

  await page.reload();
  await page.getByRole("radio", { name: "System theme" }).check();
  expect(await paper()).toBe(dark);
  expect((await page.context().cookies()).filter(({ name }) => name === "theme")).toEqual([]);
});

test("the landing page starts with the upload card, and its text for crawlers matches the plans [CONST-11, DOOR-8, PAGE-1, PAGE-2, PAGE-3, PAGE-4, PAGE-5, PAGE-6] @everyday", async ({
  page,
}) => {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const kind = response.request().resourceType();
    if (kind === "image" || kind === "font") bodies.push(response.body());
  });
  await page.goto("/", { waitUntil: "networkidle" });
  const order = await page.evaluate(() =>
    [...document.querySelectorAll("#upload, main h2, main h3")].map((element) => element.id || element.textContent),
  );
  expect(order).toEqual([
    "upload",
    "day",
    "Easy upload",
    "Instant sharing",
    "Secure and private",
    "audiences",
    "For businesses",
    "For photographers",
    "For videographers",
    "For students",
    "more",
    "Whole folders",
    "Passwords and limits",
    "End-to-end encryption",
    "Let others send to you",
    "From a terminal, too",
    "closing",
  ]);
  const forCrawlers = page.locator("main > div[hidden]");
  await expect(forCrawlers).toBeHidden();
  const html = await (await page.request.get("/")).text();
  const crawlerText = (await forCrawlers.textContent()) ?? "";
  expect(crawlerText).toContain("You need a free account to upload");
  expect(crawlerText).toContain(
    "Free: free, files of up to 500 MB, 2 GB and 20 uploads a month, longest expiry 3 days.",
  );
  expect(crawlerText).toContain("Professional: $9.99 a month, files of up to 10 GB");
  expect(html).toContain("You need a free account to upload");
  const section = page.getByRole("region", { name: "Open to whom you like. Closed to the rest." });
  await expect(section).toContainText("Up to 10,000 files behind one link");
  await expect(section).toContainText(`curl -u :$MAYFLY_KEY -T film.mov ${new URL(page.url()).origin}/`);
  await expect(section.getByRole("link", { name: "For developers" })).toHaveAttribute("href", "/developers");
  await expect(page.getByRole("main")).toContainText("Drop a file of up to 500 MB for free");
  const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThanOrEqual(100 * 1024);

  const features = await (await page.request.get("/features")).text();
  expect(features).toContain("Yes. An account is free");
  expect(features).toContain("Up to 500 MB per file on Free, 10 GB on Professional, and 50 GB on Ultimate.");
  for (const path of PAGES) {
    const text = await (await page.request.get(path)).text();
    expect(text).not.toMatch(/(?<!\d)50(\.00)? ?MB/);
  }
});

test("the headline stays where it is while the card grows", async ({ page }) => {
  const folder = await randomFolder("Holiday", { "a.txt": 10, "b.txt": 10 });
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const headline = page.getByRole("heading", { level: 1 });
    const before = await headline.boundingBox();
    await openGuards(page);
    await expect(passwordField(page)).toBeVisible();
    expect(await headline.boundingBox()).toEqual(before);
    await chooseFolder(page, folder);
    await expect(page.getByRole("treegrid", { name: "Files to send" })).toBeVisible();
    expect(await headline.boundingBox()).toEqual(before);
  }
});

test("one toast shows at a time, for 5 s, is swiped away to the right and focused with F8 [CONST-14, CONST-15, CONST-16, CONST-17]", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 800 });
  await signUp(page);
  // Keeps toasts on screen.
  await pauseClock(page);
  await page.goto("/");
  const toasts = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await chooseFileOfSize(page, 600 * MIB);
  await expect(toasts).toHaveText(/Could not upload file/);
  await chooseFileOfSize(page, 600 * 1024 * MIB);
  await expect(toasts).toHaveText(/File too large/);
  const list = page.getByRole("region", { name: "Notifications" }).getByRole("list");
  expect((await list.boundingBox())?.width).toBe(420);
  await page.setViewportSize(PHONE);
  expect((await list.boundingBox())?.width).toBe(PHONE.width);

  await page.keyboard.press("F8");
  await expect(list).toBeFocused();
  await swipe(page, toasts, 45);
  await expect(toasts).toHaveCount(1);
  await swipe(page, toasts, 60);
  await expect(toasts).toHaveCount(0);

  await page.reload();
  await chooseFileOfSize(page, 600 * MIB);
  await expect(toasts).toHaveCount(1);
  await page.clock.runFor(4900);
  await expect(toasts).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(toasts).toHaveCount(0);
  await page.clock.runFor(60_000);
  await expect(toasts).toHaveCount(0);
});

async function swipe(page: Page, toast: Locator, byPx: number): Promise<void> {
  const box = await toast.boundingBox();
  if (!box) throw new Error("No toast to swipe");
  const { x, y } = { x: box.x + 40, y: box.y + box.height / 2 };
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let moved = 5; moved <= byPx; moved += 5) await page.mouse.move(x + moved, y);
  await page.mouse.up();
}

test("a file shared by another app waits in the card and uploads on request", async ({ page, browser, baseURL }) => {
  const manifest = (await (await page.request.get("/manifest.webmanifest")).json()) as {
    share_target: { action: string; method: string; enctype: string; params: { files: { name: string }[] } };
  };
  const { action, method, enctype, params } = manifest.share_target;
  const shareFrom = async (from: Page, body: string) => {
    await from.evaluate(
      ([to, by, as, field, text]) => {
        const form = document.createElement("form");
        form.action = to;
        form.method = by;
        form.enctype = as;
        const input = document.createElement("input");
        input.type = "file";
        input.name = field;
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "Größe & 1.txt", { type: "text/plain" }));
        input.files = transfer.files;
        form.appendChild(input);
        document.body.appendChild(form);
        form.submit();
      },
      [action, method, enctype, params.files[0]?.name ?? "", body] as const,
    );
  };
  await signUp(page);
  const stateOfWorker = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration("/share"))?.active?.state);
  await expect.poll(stateOfWorker).toBe("activated");
  const started: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") started.push(new URL(request.url()).pathname);
  });
  await shareFrom(page, "shared words");
  await expect(page.getByRole("heading", { name: "Größe & 1.txt" })).toBeVisible();
  await expect(page).toHaveURL("/");
  await expect(page.getByText("12 Bytes")).toBeVisible();
  expect(started.filter((path) => path !== "/share")).toEqual([]);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Größe & 1.txt · 12 Bytes")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  await expect(page.getByRole("heading", { name: "Größe & 1.txt" })).toHaveCount(0);

  const plain = await browser.newContext({ baseURL: baseURL ?? "", serviceWorkers: "block" });
  const withoutWorker = await plain.newPage();
  await withoutWorker.goto("/");
  await shareFrom(withoutWorker, "x".repeat(3 * MIB));
  await expect(withoutWorker.getByRole("heading", { name: "Your file was not uploaded" })).toBeVisible();
  await expect(withoutWorker.getByText("could not pass the file on")).toBeVisible();
  await plain.close();
});

test("a visitor can open public pages and links, write a message, and is asked to sign in for the rest [ROLE-1]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  await chooseFile(page, await randomFile("for-anybody.txt", 100));
  const link = await page.getByLabel("Share link").inputValue();
  const visitor = await openBrowser();
  for (const path of PAGES) expect((await visitor.goto(path))?.status()).toBe(200);
  await visitor.goto(link);
  await expect(visitor.getByRole("link", { name: "Download", exact: true })).toBeVisible();
  await visitor.goto("/contact");
  await expect(visitor.getByRole("button", { name: "Send Message" })).toBeEnabled();
  await visitor.goto("/dashboard");
  await expect(visitor).toHaveURL("/");
  await chooseFile(visitor, await randomFile("from-nobody.txt", 100));
  await expect(visitor.getByRole("dialog")).toContainText("Your file (100 Bytes) will be uploaded right after this.");
});
