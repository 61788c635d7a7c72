import type { Route } from "@playwright/test";
import { openAdmin } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { newEmail } from "./support/accounts.ts";

test("the contact form validates while typing and confirms a sent message [CONT-1, CONT-2, CONT-3, CONT-4, CONT-5, CONT-6, CONT-7, ERR-50, NAV-14, VAL-15, VAL-16, VAL-17, VAL-18, VAL-19] @everyday", async ({
  page,
}) => {
  await page.goto("/contact");
  await expect(page.getByRole("heading", { name: "Need help?" })).toBeVisible();
  await expect(page.getByText("Monday - Friday: 9AM - 5PM EST, Weekend: Closed", { exact: true })).toBeVisible();

  const invalidInputs = [
    ["Name", "A", "Name must be at least 2 characters."],
    ["Email", "ada@", "Please enter a valid email address."],
    ["Subject", "Hi", "Subject must be at least 3 characters."],
    ["Message", "x".repeat(1001), "Message cannot exceed 1000 characters."],
    ["Message", "123456789", "Message must be at least 10 characters."],
  ] as const;
  for (const [label, value, message] of invalidInputs) {
    await page.getByLabel(label).fill(value);
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message));
    await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
  }
  const subject = `Hello ${Date.now()}`;
  const validInputs = [
    ["Name", "Ada"],
    ["Email", "ada@example.com"],
    ["Subject", subject],
    ["Message", "A message of some length."],
  ] as const;
  for (const [label, value] of validInputs) {
    await page.getByLabel(label).fill(value);
    await expect(page.getByLabel(label)).not.toHaveAttribute("aria-invalid");
  }
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByText("Message Sent", { exact: true })).toBeVisible();
  await expect(
    page.getByText("Your message has been sent successfully. We'll get back to you soon!", { exact: true }),
  ).toBeVisible();
  for (const [label] of validInputs) await expect(page.getByLabel(label)).toHaveValue("");
  const rows = await query(
    `select name, email, is_read, ip_address, user_agent from contact_submissions where subject = '${subject}'`,
  );
  expect(rows).toEqual([
    {
      name: "Ada",
      email: "ada@example.com",
      is_read: 0,
      ip_address: expect.stringMatching(/./) as unknown,
      user_agent: expect.stringContaining("Chrome") as unknown,
    },
  ]);
});

test("the contact form sends nothing invalid; a failure shows the reason and keeps the input [ERR-49]", async ({
  page,
  expectErrors,
}) => {
  await page.goto("/contact");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription("Name must be at least 2 characters.");
  await expect(page.getByLabel("Message")).toHaveAccessibleDescription(/Message must be at least 10 characters\./);

  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Subject").fill("Hello");
  await page.getByLabel("Message").fill("A message of some length.");
  expectErrors(/503|ERR_FAILED/);
  const send = async (answer: (route: Route) => Promise<void>) => {
    await page.route("**/api/contact", answer);
    await page.getByRole("button", { name: "Send message" }).click();
  };
  await send((route) => route.fulfill({ status: 503, json: { message: "The post office is closed." } }));
  await expect(page.getByText("The post office is closed.", { exact: true })).toBeVisible();
  await send((route) => route.abort());
  await expect(
    page.getByText("An error occurred while sending your message. Please try again.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByLabel("Subject")).toHaveValue("Hello");
});

test("the email diagnostic is open to everybody, but only administrators can send [DIAG-1, DIAG-3, DIAG-4, DIAG-5, DIAG-6, ERR-71, NAV-19, VAL-26]", async ({
  page,
  expectErrors,
}) => {
  await page.goto("/email-diagnostic");
  await expect(page.getByText("Verification emails are sent through an email delivery provider.")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("test@example.com");
  const button = page.getByRole("button", { name: "Send Test Verification Email" });
  await page.getByLabel("Email").fill("nobody");
  await button.click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Please enter a valid email address");

  await page.getByLabel("Email").fill("ops@example.com");
  expectErrors(/403/);
  await button.click();
  await expect(page.getByText("Email Test Failed", { exact: true })).toBeVisible();
  await expect(
    page.getByText("There was an error sending the test email. Check the logs for details.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("main").getByRole("status")).toHaveText(
    "Error: Only administrators can do this. Please log in as an administrator.",
  );
});

test("the email diagnostic sends a mail, confirms it, and the mailbox shows it light and dark [DIAG-2, DIAG-3, ERR-70, MAIL-4]", async ({
  page,
}) => {
  await openAdmin(page);
  await page.goto("/email-diagnostic");
  const email = newEmail();
  await page.getByLabel("Email").fill(email);
  let resume = () => {};
  const paused = new Promise<void>((resolve) => (resume = resolve));
  await page.route("**/api/diagnostic/send-test-email", async (route) => {
    await paused;
    await route.continue();
  });
  await page.getByRole("button", { name: "Send Test Verification Email" }).click();
  await expect(page.getByRole("button", { name: "Sending Test Email..." })).toBeDisabled();
  resume();
  await expect(page.getByText("Email Test Successful", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("status")).toHaveText(
    "Success: The test email was sent successfully. Check the specified inbox.",
  );
  await expect(page.getByRole("button", { name: "Send Test Verification Email" })).toBeEnabled();
  await page.goto("/dev/mailbox");
  const mail = page.getByRole("article").filter({ hasText: `To ${email}` });
  await expect(mail).toBeVisible();
  const body = mail.locator("iframe").contentFrame().locator("body");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(body).toHaveCSS("background-color", "rgb(245, 244, 238)");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(body).toHaveCSS("background-color", "rgb(10, 18, 17)");
});

test("the email diagnostic shows the server's success message [DIAG-3]", async ({ page }) => {
  await page.route("**/api/diagnostic/send-test-email", (route) =>
    route.fulfill({ json: { message: "Taken at 12:00 by relay 7." } }),
  );
  await page.goto("/email-diagnostic");
  await page.getByRole("button", { name: "Send Test Verification Email" }).click();
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await expect(toast.getByText("Email Test Successful", { exact: true })).toBeVisible();
  await expect(toast.getByText("Taken at 12:00 by relay 7.", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Success: Taken at 12:00 by relay 7.");
});
