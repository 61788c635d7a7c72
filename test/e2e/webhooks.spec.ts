import { startReceiver } from "../support/webhook-receiver/receiver.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";
import { expectToast } from "./support/plans.ts";
import { uploadByApi } from "./support/sharing.ts";

let receiver: Awaited<ReturnType<typeof startReceiver>>;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.close());

const tell = (name: string, ...answers: { status: number }[]) =>
  fetch(`${receiver.origin}/answers/${name}`, { method: "PUT", body: JSON.stringify(answers) });

test("a webhook is added, pinged, changed, switched off and on, gets a new secret, and is deleted [HOOK-1]", async ({
  page,
  expectErrors,
}) => {
  await signUpByApi(page);
  await page.goto("/account");
  await expect(page.getByText("You have no webhook yet.")).toBeVisible();
  const dialog = page.getByRole("dialog");

  await page.getByRole("button", { name: "Add webhook" }).click();
  await dialog.getByLabel("Uploaded").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Address of the receiver")).toHaveAccessibleDescription(
    /Enter the address of the receiver, with/,
  );
  await expect(dialog.getByRole("group", { name: "Events" })).toHaveAccessibleDescription("Choose at least one event.");
  expectErrors(/400/);
  await dialog.getByLabel("Address of the receiver").fill("ftp://hooks.example.org/");
  await dialog.getByLabel("Uploaded").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "The webhook could not be saved", /Enter the receiver's whole address/);
  const url = `${receiver.origin}/hook/one`;
  await dialog.getByLabel("Address of the receiver").fill(url);
  await dialog.getByLabel("Downloaded").check();
  await expectAccessible(page, "webhook-dialog");
  await dialog.getByRole("button", { name: "Save" }).click();

  await expect(dialog.getByRole("textbox", { name: "Secret" })).toHaveValue(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const secret = await dialog.getByRole("textbox", { name: "Secret" }).inputValue();
  await expectAccessible(page, "webhook-secret");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(url, { exact: true })).toBeVisible();
  await expect(page.getByText("Uploaded · Downloaded")).toBeVisible();
  await expect(page.getByText("Your plan has 1 webhook.")).toBeVisible();
  // The button that adds is gone.
  await expect(page.getByRole("button", { name: `Actions for ${url}` })).toBeFocused();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Send ping" }).click();
  await expectToast(page, "The receiver accepted the ping");
  await tell("one", { status: 500 });
  await page.getByRole("button", { name: "Send ping" }).click();
  await expectToast(page, "The ping failed");
  await page.getByRole("button", { name: "Deliveries" }).click();
  const rows = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Send again: Ping/ }) });
  await expect(rows.getByText("Delivered", { exact: true })).toBeVisible();
  await expect(rows.getByText(/Answer 500/)).toBeVisible();
  await expectAccessible(page, "webhook-deliveries");

  await page
    .getByRole("button", { name: /^Send again: Ping/ })
    .first()
    .click();
  await expectToast(page, "The receiver accepted it");
  await expect(page.getByText(/2 tries · Answer 204/)).toBeVisible();

  const choose = async (item: string) => {
    await page.getByRole("button", { name: `Actions for ${url}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Change");
  await dialog.getByLabel("Downloaded").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Webhook saved");
  await expect(page.getByText("Uploaded · Downloaded")).toBeHidden();

  await choose("Switch off");
  await expect(page.getByText("Switched off", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Switch on" }).click();
  await expect(page.getByText("On", { exact: true })).toBeVisible();

  await choose("New secret");
  await dialog.getByRole("button", { name: "Make new secret" }).click();
  await expect(dialog.getByRole("textbox", { name: "Secret" })).not.toHaveValue(secret);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(/The former secret signs too until/)).toBeVisible();

  await choose("Delete");
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await expectToast(page, "Webhook deleted");
  await expect(page.getByText("You have no webhook yet.")).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("an upload is told to its owner's webhook, and the section is in German too [HOOK-9]", async ({ page }) => {
    await signUpByApi(page);
    const url = `${receiver.origin}/hook/two`;
    const added = await page.request.post("/api/webhooks", { data: { url, events: ["transfer.uploaded"] } });
    expect(added.status()).toBe(201);
    await uploadByApi(page, { name: "Bericht.txt", type: "text/plain", body: "some words" });
    const { requests } = (await (await fetch(`${receiver.origin}/requests/two?count=1`)).json()) as {
      requests: { body: string }[];
    };
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      type: "transfer.uploaded",
      data: { name: "Bericht.txt" },
    });
    await page.goto("/account");
    await page.getByRole("button", { name: "Zustellungen" }).click();
    await expect(page.getByText("Zugestellt", { exact: true })).toBeVisible();
    await expectAccessible(page, "webhook-deliveries-de");
  });
});
