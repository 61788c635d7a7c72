import type { Page } from "@playwright/test";
import { letConfirmationRunOut, logIn, newEmail, PASSWORD, signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";

/** A program that asks from its own process, as the command line does. */
async function beginSignIn(baseURL: string | undefined, name = "ada-laptop") {
  const send = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`${baseURL}/api/v1/device${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json() as Promise<Record<string, string>>;
  };
  const { user_code: userCode = "", device_code } = await send("", { device_name: name });
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  return { userCode, poll: () => send("/token", { grant_type, device_code }) };
}

const codeField = (page: Page) => page.getByLabel("Code");

test("a code is typed with the keyboard alone, and its program signs in [DVC-6] @everyday", async ({
  page,
  baseURL,
}) => {
  const email = await signUpByApi(page);
  const program = await beginSignIn(baseURL);
  await page.goto("/device");
  await expect(codeField(page)).toBeFocused();
  await expectAccessible(page, "device-enter");
  await page.keyboard.type(program.userCode.toLowerCase().replace("-", ""));
  await page.keyboard.press("Enter");
  const title = page.getByRole("heading", { name: "Sign in “ada-laptop”?" });
  await expect(title).toBeFocused();
  await expect(page.getByRole("definition").first()).toHaveText("ada-laptop");
  await expect(page.getByRole("listitem").filter({ hasText: "Change, mail and delete your files" })).toBeVisible();
  await expect(page.getByText("It may do this for 90 days:")).toBeVisible();
  await expect(page.getByText(/If somebody has sent you this code, refuse/)).toBeVisible();
  await expectAccessible(page, "device-confirm");
  await title.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "“ada-laptop” is signed in" })).toBeFocused();
  await expectAccessible(page, "device-approved");
  expect(new URL(page.url()).search).toBe("");
  const { access_token: key } = await program.poll();
  const me = await page.request.get("/api/v1/me", { headers: { authorization: `Bearer ${key}` } });
  expect(await me.json()).toMatchObject({ email, key: { name: "ada-laptop" } });
  await page.getByRole("link", { name: "Go to your account" }).click();
  await expect(page.getByText("Command line", { exact: true })).toBeVisible();
});

test("agreeing long after the sign-in asks for the password and goes on by itself [AUTH-27]", async ({
  page,
  baseURL,
  expectErrors,
}) => {
  expectErrors(/403/);
  const email = await signUpByApi(page);
  await letConfirmationRunOut(email);
  const program = await beginSignIn(baseURL);
  await page.goto("/device");
  await codeField(page).fill(program.userCode);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expectAccessible(page, "device-password");
  expect(await program.poll()).toMatchObject({ error: "authorization_pending" });
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { name: "“ada-laptop” is signed in" })).toBeFocused();
});

test("a program that is refused gets nothing [DVC-6]", async ({ page, baseURL }) => {
  await signUpByApi(page);
  const program = await beginSignIn(baseURL, "somebody's server");
  await page.goto("/device");
  await codeField(page).fill(program.userCode);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page.getByRole("heading", { name: "You have refused" })).toBeFocused();
  await expectAccessible(page, "device-refused");
  expect(await program.poll()).toMatchObject({ error: "access_denied" });
});

test("a code that is wrong, unknown or used says so at the field [DVC-6]", async ({ page, baseURL, expectErrors }) => {
  expectErrors(/404|410/);
  await signUpByApi(page);
  const program = await beginSignIn(baseURL);
  await page.request.post("/api/auth/device/refuse", { data: { userCode: program.userCode } });
  await page.goto("/device");
  for (const [typed, words] of [
    ["AEIO", "Enter the eight letters that the program shows. No vowels are among them."],
    ["BCDF-GHJK", "There is no such code. Compare it with the one that the program shows."],
    [program.userCode, "This code has run out, or was used already. Begin the sign-in again in the program."],
  ] as const) {
    await codeField(page).fill(typed);
    await page.keyboard.press("Enter");
    await expect(codeField(page)).toHaveAccessibleDescription(`Eight letters, such as BCDF-GHJK. ${words}`);
    await expect(codeField(page)).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: words })).toHaveCount(1);
  }
  await expectAccessible(page, "device-wrong");
});

test("a program that was signed in elsewhere meanwhile, and a full plan, say so at the buttons", async ({
  page,
  baseURL,
  expectErrors,
}) => {
  expectErrors(/403|410/);
  await signUpByApi(page);
  for (let n = 1; n <= 5; n += 1) {
    await page.request.post("/api/keys", { data: { name: `Server ${n}`, scopes: ["upload"] } });
  }
  const program = await beginSignIn(baseURL);
  await page.goto("/device");
  await codeField(page).fill(program.userCode);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("You have 5 API keys, the maximum of your plan. Revoke one first.");
  await expectAccessible(page, "device-full");
  await page.request.post("/api/auth/device/refuse", { data: { userCode: program.userCode } });
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText(/^This code has run out, or was used already\./);
  await page.getByRole("button", { name: "Enter another code" }).click();
  await expect(codeField(page)).toBeFocused();
});

test("visitors sign in first, and come back without a code in the address [DVC-5]", async ({ page, openBrowser }) => {
  const email = await signUpByApi(await openBrowser(), newEmail());
  await page.goto("/device?user_code=BCDF-GHJK");
  await expect(page.getByRole("dialog")).toBeVisible();
  await logIn(page, email);
  await expect(codeField(page)).toBeFocused();
  await expect(codeField(page)).toHaveValue("");
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/device");
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("the page asks, warns and tells in German [DVC-6]", async ({ page, baseURL, expectErrors }) => {
    expectErrors(/404/);
    await signUpByApi(page);
    const program = await beginSignIn(baseURL);
    await page.goto("/device");
    await codeField(page).fill("BCDF-GHJK");
    await page.getByRole("button", { name: "Weiter" }).click();
    await expect(codeField(page)).toHaveAccessibleDescription(/Diesen Code gibt es nicht\. Vergleiche ihn mit dem/);
    await codeField(page).fill(program.userCode);
    await page.getByRole("button", { name: "Weiter" }).click();
    await expect(page.getByRole("heading", { name: "„ada-laptop“ anmelden?" })).toBeFocused();
    await expect(page.getByText("90 Tage lang darf es:")).toBeVisible();
    await expectAccessible(page, "device-confirm-de");
    await page.getByRole("button", { name: "Anmelden", exact: true }).last().click();
    await expect(page.getByRole("heading", { name: "„ada-laptop“ ist angemeldet" })).toBeFocused();
  });
});
