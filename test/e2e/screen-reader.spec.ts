import type { Locator, Page, Route } from "@playwright/test";
import { generateSync } from "otplib";
import { newEmail, PASSWORD, signUpByApi, whoIsIn } from "./support/accounts.ts";
import { setUpAppByApi } from "./support/authenticator-app.ts";
import { VirtualAuthenticator } from "./support/authenticator.ts";
import { expect, test } from "./support/fixtures.ts";

/** What a screen reader says, written out in both languages. */
const ENGLISH = {
  locale: "en-US",
  signUp: "Sign Up",
  createYourAccount: "Create your account",
  register: "Register",
  email: "Email",
  emailWrong: "A valid email address, such as name@example.com Please enter a valid email address",
  password: "Password",
  passwordShort: "Password must be at least 6 characters",
  confirmPassword: "Confirm password",
  passwordsDiffer: "Passwords don't match",
  createAccount: "Create account",
  close: "Close",
  overview: "Dashboard",
  welcomeBack: "Welcome back",
  logIn: "Log In",
  rememberMe: "Remember me",
  forgotPassword: "Forgot password?",
  withPasskey: "Use a passkey",
  withWork: "Continue with Work",
  withClub: "Continue with The club",
  byMail: "Email me a link",
  secondStep: "One more step",
  secondStepHelp: "Your account asks for a second proof that it is you.",
  codeOfApp: "Code from your authenticator app",
  codeMissing: "Please enter the code",
  codeWrong: "This code is not right, or has been used.",
  trustDevice: "Do not ask for a code on this device for 30 days",
  goOn: "Continue",
  useRecoveryCode: "Use a recovery code instead",
  back: "Back",
  addPasskey: "Add a passkey",
  addPasskeyHelp: "Your browser asks next where to keep it.",
  name: "Name",
  nameMissing: "Give the passkey a name.",
  addIt: "Go on",
  rename: "Rename",
  remove: "Remove",
  skip: "Skip to content",
  goHome: "Go Home",
  chooseFile: "Choose a file",
  features: "Features",
  newEmail: "New email",
  changeEmail: "Change email",
};
const GERMAN: typeof ENGLISH = {
  locale: "de-DE",
  signUp: "Registrieren",
  createYourAccount: "Lege dein Konto an",
  register: "Registrieren",
  email: "E-Mail-Adresse",
  emailWrong: "Eine gültige E-Mail-Adresse, zum Beispiel name@example.com Bitte gib eine gültige E-Mail-Adresse ein",
  password: "Passwort",
  passwordShort: "Das Passwort muss mindestens 6 Zeichen lang sein",
  confirmPassword: "Passwort wiederholen",
  passwordsDiffer: "Die Passwörter stimmen nicht überein",
  createAccount: "Konto anlegen",
  close: "Schließen",
  overview: "Übersicht",
  welcomeBack: "Willkommen zurück",
  logIn: "Anmelden",
  rememberMe: "Angemeldet bleiben",
  forgotPassword: "Passwort vergessen?",
  withPasskey: "Passkey verwenden",
  withWork: "Weiter mit Work",
  withClub: "Weiter mit The club",
  byMail: "Link per E-Mail",
  secondStep: "Noch ein Schritt",
  secondStepHelp: "Dein Konto verlangt einen zweiten Nachweis, dass du es bist.",
  codeOfApp: "Code aus deiner Authenticator-App",
  codeMissing: "Bitte gib den Code ein",
  codeWrong: "Dieser Code stimmt nicht oder wurde schon benutzt.",
  trustDevice: "Auf diesem Gerät 30 Tage lang nicht nach einem Code fragen",
  goOn: "Weiter",
  useRecoveryCode: "Stattdessen einen Wiederherstellungscode benutzen",
  back: "Zurück",
  addPasskey: "Passkey hinzufügen",
  addPasskeyHelp: "Dein Browser fragt gleich, wo er ihn aufbewahren soll.",
  name: "Name",
  nameMissing: "Gib dem Passkey einen Namen.",
  addIt: "Weiter",
  rename: "umbenennen",
  remove: "entfernen",
  skip: "Zum Inhalt springen",
  goHome: "Zur Startseite",
  chooseFile: "Datei auswählen",
  features: "Funktionen",
  newEmail: "Neue E-Mail-Adresse",
  changeEmail: "Adresse ändern",
};

/** Presses Tab, and expects the focus on one element after the other. */
async function tabThrough(page: Page, elements: Locator[]): Promise<void> {
  for (const element of elements) {
    await page.keyboard.press("Tab");
    await expect(element).toBeFocused();
  }
}

async function press(page: Page, element: Locator, key: "Enter" | "Space"): Promise<void> {
  await element.focus();
  await page.keyboard.press(key);
}

for (const words of [ENGLISH, GERMAN]) {
  test.describe(words.locale, () => {
    test.use({ locale: words.locale });

    test("somebody signs up by keyboard alone, and hears what is wrong", async ({ page }) => {
      await page.goto("/");
      await press(page, page.getByRole("banner").getByRole("button", { name: words.signUp }), "Enter");
      const dialog = page.getByRole("dialog", { name: words.createYourAccount });
      const email = dialog.getByRole("textbox", { name: words.email });
      const password = dialog.getByLabel(words.password, { exact: true });
      const repeated = dialog.getByLabel(words.confirmPassword);
      await expect(dialog.getByRole("tab", { name: words.register })).toBeFocused();
      const create = dialog.getByRole("button", { name: words.createAccount });
      await tabThrough(page, [email, password, repeated, create, dialog.getByRole("button", { name: words.close })]);

      await press(page, create, "Enter");
      await expect(email).toBeFocused();
      await expect(email).toHaveAccessibleDescription(words.emailWrong);
      const address = newEmail();
      await page.keyboard.type(address);
      await page.keyboard.press("Enter");
      await expect(password).toBeFocused();
      await expect(password).toHaveAccessibleDescription(words.passwordShort);
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await expect(repeated).toBeFocused();
      await expect(repeated).toHaveAccessibleDescription(words.passwordShort);
      await page.keyboard.type("another password");
      await page.keyboard.press("Enter");
      await expect(repeated).toBeFocused();
      await expect(repeated).toHaveAccessibleDescription(words.passwordsDiffer);
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("banner").getByRole("link", { name: words.overview })).toBeVisible();
      expect(await whoIsIn(page)).toMatchObject({ email: address });
    });

    test("somebody signs in with an authenticator app by keyboard alone", async ({
      page,
      openBrowser,
      expectErrors,
    }) => {
      const owner = await openBrowser();
      const address = await signUpByApi(owner);
      const { secret } = await setUpAppByApi(owner, address);
      await page.goto("/login?returnTo=/account/security");
      const dialog = page.getByRole("dialog", { name: words.welcomeBack });
      const email = dialog.getByRole("textbox", { name: words.email });
      const button = (name: string) => dialog.getByRole("button", { name, exact: true });
      await expect(button(words.byMail)).toBeVisible();
      await dialog.getByRole("tab", { name: words.logIn }).focus();
      await tabThrough(page, [
        email,
        dialog.getByLabel(words.password, { exact: true }),
        dialog.getByRole("checkbox", { name: words.rememberMe }),
        button(words.forgotPassword),
        button(words.logIn),
        button(words.withPasskey),
        dialog.getByRole("link", { name: words.withWork }),
        dialog.getByRole("link", { name: words.withClub }),
        button(words.byMail),
        button(words.close),
      ]);
      await email.focus();
      await page.keyboard.type(address);
      await page.keyboard.press("Tab");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");

      const step = page.getByRole("dialog", { name: words.secondStep });
      const code = step.getByRole("textbox", { name: words.codeOfApp });
      const trust = step.getByRole("checkbox", { name: words.trustDevice });
      await expect(step).toHaveAccessibleDescription(words.secondStepHelp);
      await expect(step).toMatchAriaSnapshot(`
        - dialog "${words.secondStep}":
          - heading "${words.secondStep}" [level=2]
          - paragraph: ${words.secondStepHelp}
          - text: ${words.codeOfApp}
          - textbox "${words.codeOfApp}"
          - checkbox "${words.trustDevice}"
          - text: ${words.trustDevice}
          - button "${words.goOn}"
          - button "${words.useRecoveryCode}"
          - button "${words.back}"
          - button "${words.close}"
      `);
      await expect(code).toBeFocused();
      await tabThrough(page, [
        trust,
        step.getByRole("button", { name: words.goOn }),
        step.getByRole("button", { name: words.useRecoveryCode }),
        step.getByRole("button", { name: words.back }),
        step.getByRole("button", { name: words.close }),
      ]);
      await press(page, code, "Enter");
      await expect(code).toHaveAccessibleDescription(words.codeMissing);
      expectErrors(/401/);
      await page.keyboard.type("12345");
      await press(page, step.getByRole("button", { name: words.goOn }), "Space");
      await expect(code).toHaveAccessibleDescription(words.codeWrong);
      await expect(code).toBeFocused();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(generateSync({ secret }));
      await press(page, trust, "Space");
      await expect(trust).toBeChecked();
      await press(page, code, "Enter");
      await expect(page).toHaveURL("/account/security");
      expect(await whoIsIn(page)).toMatchObject({ email: address });
    });

    test("somebody adds a passkey by keyboard alone, and is back where they were", async ({ page }) => {
      await signUpByApi(page);
      const authenticator = await VirtualAuthenticator.attach(page);
      await page.goto("/account/security");
      const add = page.getByRole("main").getByRole("button", { name: words.addPasskey });
      await press(page, add, "Enter");
      const dialog = page.getByRole("dialog", { name: words.addPasskey });
      await expect(dialog).toHaveAccessibleDescription(words.addPasskeyHelp);
      const name = dialog.getByRole("textbox", { name: words.name });
      const goOn = dialog.getByRole("button", { name: words.addIt });
      await expect(name).toBeFocused();
      await tabThrough(page, [goOn, dialog.getByRole("button", { name: words.close }), name]);
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.press("Delete");
      await press(page, goOn, "Space");
      await expect(name).toBeFocused();
      await expect(name).toHaveAccessibleDescription(words.nameMissing);
      await page.keyboard.type("Laptop");
      await page.keyboard.press("Enter");
      const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Laptop" }).first();
      const rename = row.getByRole("button", { name: new RegExp(`Laptop ${words.rename}|${words.rename} Laptop`) });
      await expect(rename).toBeVisible();
      await expect(dialog).toBeHidden();
      expect(await authenticator.passkeys()).toHaveLength(1);
      await expect(add).toBeFocused();
      const remove = row.getByRole("button", { name: new RegExp(`Laptop ${words.remove}|${words.remove} Laptop`) });
      await tabThrough(page, [rename, remove]);
    });

    test("the keyboard skips the navigation, and the title of a new page is said @everyday", async ({
      page,
      expectErrors,
    }) => {
      expectErrors(/404/);
      const main = page.getByRole("main");
      const skip = page.getByRole("link", { name: words.skip });
      await page.goto("/about#a-key-that-must-stay");
      await expect(skip).not.toBeInViewport();
      await tabThrough(page, [skip]);
      await expect(skip).toBeInViewport();
      await page.keyboard.press("Enter");
      await expect(main).toBeFocused();
      await expect(page).toHaveURL("/about#a-key-that-must-stay");
      await tabThrough(page, [main.getByRole("link").first()]);

      const link = page.getByRole("contentinfo").getByRole("link", { name: words.features });
      await press(page, link, "Enter");
      await expect(page.getByText("Features · Mayfly", { exact: true })).toBeAttached();
      await expect(link).toBeFocused();

      await page.goto("/no/such/page");
      await press(page, main.getByRole("link", { name: words.goHome }), "Enter");
      await expect(main.getByLabel(words.chooseFile, { exact: true })).toBeVisible();
      await expect(main).toBeFocused();
    });

    test("a button keeps the focus while its work is under way, and does it once", async ({ page, expectErrors }) => {
      expectErrors(/500/);
      await signUpByApi(page);
      await page.goto("/account");
      const requests: Route[] = [];
      await page.route("**/api/auth/change-email", (route) => {
        requests.push(route);
      });
      const email = page.getByRole("textbox", { name: words.newEmail });
      const button = page.locator("form").filter({ has: email }).getByRole("button");
      await expect(button).toHaveText(words.changeEmail);
      await email.fill("somebody@example.com");
      await press(page, button, "Enter");
      await expect(button).toBeDisabled();
      await expect(button).toBeFocused();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Space");
      await press(page, email, "Enter");
      await button.focus();
      expect(requests).toHaveLength(1);
      await requests[0]?.fulfill({ status: 500, json: { message: "Out of order" } });
      await expect(button).toBeEnabled();
      await expect(button).toBeFocused();
      await expect(email).toHaveValue("somebody@example.com");
      await expect(page.getByText("Out of order", { exact: true })).toBeVisible();
    });
  });
}
