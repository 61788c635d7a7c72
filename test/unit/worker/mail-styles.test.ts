import { describe, expect, it } from "vitest";
import { LOCALES } from "#domain/locale.ts";
import { type Message, renderMessage } from "#worker/mail/message.tsx";
import * as account from "#worker/mail/messages/account.tsx";
import * as files from "#worker/mail/messages/files.tsx";
import * as keys from "#worker/mail/messages/keys.tsx";
import * as moderation from "#worker/mail/messages/moderation.tsx";
import * as notices from "#worker/mail/messages/notices.tsx";
import * as requests from "#worker/mail/messages/requests.tsx";
import * as scans from "#worker/mail/messages/scans.tsx";
import * as signIn from "#worker/mail/messages/sign-in.tsx";
import * as webhooks from "#worker/mail/messages/webhooks.tsx";

const TO = "a@example.com";
const URL = "https://example.com/page";
const AT = Date.UTC(2026, 10, 23);
const CONTENT = { paths: ["Photos/a.jpg"], entries: 7 };
const VISIT = { userAgent: "", shortIp: "192.0.2.x", country: "DE" };
const RECEIVED = [{ who: "Ada", name: "a.pdf", size: 1, entries: null }];
const KEY = { name: "Server", lastFour: "1a2b", scopes: ["upload" as const], expiresAt: null };
const REASONS = { reason: "Malware", ground: "law" as const, objectionUrl: URL };
const WAYS = {
  keys: [{ id: "1", ...KEY }],
  passkeys: [{ id: "2", name: "Phone" }],
  providers: [{ id: "github", label: "GitHub" }],
  webhooks: [{ id: "3", url: URL }],
};

const inEnglish: Record<string, () => Message> = {
  verifyMessage: () => account.verifyMessage(TO, URL),
  resetMessage: () => account.resetMessage(TO, URL),
  passwordChangedMessage: () => account.passwordChangedMessage(TO, { left: WAYS, ended: WAYS, isClaimed: true }, URL),
  emailAssignedMessage: () => account.emailAssignedMessage(TO, "b@example.com", URL),
  emailChangedMessage: () => account.emailChangedMessage(TO, "b@example.com", URL),
  filesWillExpireMessage: () => files.filesWillExpireMessage(TO, "Free", new Date(AT), URL),
  testMessage: () => account.testMessage(TO),
  passwordGuessedMessage: () => files.passwordGuessedMessage(TO, "a.pdf", URL),
  keyMadeMessage: () => keys.keyMadeMessage(TO, KEY, URL),
  keyRunsOutMessage: () => keys.keyRunsOutMessage(TO, KEY, URL),
  mailLinkMessage: () => signIn.mailLinkMessage(TO, { url: URL, code: "12345678", isNew: true }),
  confirmCodeMessage: () => signIn.confirmCodeMessage(TO, "12345678"),
  providerConnectedMessage: () => signIn.providerConnectedMessage(TO, "GitHub"),
  providerDisconnectedMessage: () => signIn.providerDisconnectedMessage(TO, "GitHub", URL),
  newDeviceMessage: () => signIn.newDeviceMessage(TO, VISIT, AT, URL),
  emailChangeAskedMessage: () => signIn.emailChangeAskedMessage(TO, "b@example.com", URL),
  emailInUseMessage: () => signIn.emailInUseMessage(TO, "b@example.com"),
  factorRemovalAskedMessage: () => signIn.factorRemovalAskedMessage(TO, URL),
  factorChangedMessage: () => signIn.factorChangedMessage(TO, "factorSet", URL),
  wrongCodesMessage: () => signIn.wrongCodesMessage(TO, "codesGuessed"),
  adminGuessedMessage: () => signIn.adminGuessedMessage(TO, "password", "admin"),
  recoveryCodeUsedMessage: () => signIn.recoveryCodeUsedMessage(TO, VISIT, AT, 2, URL),
  passkeyChangedMessage: () => signIn.passkeyChangedMessage(TO, "passkeyAdded", "Phone", URL),
  passkeyRefusedMessage: () => signIn.passkeyRefusedMessage(TO, "Phone", URL),
  webhookChangedMessage: () => webhooks.webhookChangedMessage(TO, "webhookAdded", URL, URL),
  webhookDisabledMessage: () => webhooks.webhookDisabledMessage(TO, URL, true, URL),
};

const translated: Record<string, (reader: notices.Reader) => Message> = {
  receiptMessage: (reader) =>
    requests.receiptMessage(reader, [
      { files: null, entries: 1, size: 1, receivedAt: AT },
      { files: [{ path: "a.pdf", size: 1, sha256: "ab" }], entries: 3, size: 9, receivedAt: AT },
    ]),
  fileSharedMessage: (reader) =>
    notices.fileSharedMessage(reader, {
      sender: "Ada",
      name: "Photos",
      content: CONTENT,
      size: 1,
      expiresAt: null,
      link: URL,
      note: "Dear both",
    }),
  linkEndsMessage: (reader) => notices.linkEndsMessage(reader, { sender: "Ada", name: "a.pdf", link: URL, endsAt: AT }),
  ownLinksEndMessage: (reader) => notices.ownLinksEndMessage(reader, [{ name: "a.pdf", endsAt: AT }], URL),
  fileInfectedMessage: (reader) =>
    scans.fileInfectedMessage(reader, { name: "Photos", path: "a.jpg", finding: "Some.Virus" }, URL),
  arrivedMessage: (reader) => notices.arrivedMessage(reader, ["a.pdf"], URL),
  downloadedMessage: (reader) =>
    notices.downloadedMessage(reader, { name: "a.pdf", downloads: [{ who: null, count: 2 }] }, URL),
  receivedMessage: (reader) => notices.receivedMessage(reader, RECEIVED, URL),
  accountSuspendedMessage: (reader) => moderation.accountSuspendedMessage(reader, REASONS, AT),
  accountRestoredMessage: (reader) => moderation.accountRestoredMessage(reader, URL),
  entryTakenDownMessage: (reader) =>
    moderation.entryTakenDownMessage(reader, { path: "a.jpg", title: "Photos" }, REASONS),
  fileTakenDownMessage: (reader) =>
    moderation.fileTakenDownMessage(reader, { name: "Photos", content: CONTENT }, REASONS),
  reportReceivedMessage: (reader) => moderation.reportReceivedMessage(reader, URL, "copyright"),
  reportDecidedMessage: (reader) =>
    moderation.reportDecidedMessage(reader, URL, { isTakenDown: false, objectionUrl: URL }),
  objectionReceivedMessage: (reader) => moderation.objectionReceivedMessage(reader, "a.pdf"),
  objectionDecidedMessage: (reader) => moderation.objectionDecidedMessage(reader, "a.pdf", "stays", "We looked."),
  linkHeldMessage: (reader) => moderation.linkHeldMessage(reader, "a.pdf", "downloads"),
  linkReleasedMessage: (reader) => moderation.linkReleasedMessage(reader, "a.pdf"),
  dayMessage: (reader) => notices.dayMessage(reader, { downloads: [], received: RECEIVED }, URL),
};

const mails = [
  ...Object.entries(inEnglish).map(([name, write]) => [name, write()] as const),
  ...LOCALES.flatMap((locale) => {
    const reader = { email: TO, locale, timeZone: "UTC", unsubscribeUrl: URL };
    return Object.entries(translated).map(([name, write]) => [`${name}, ${locale}`, write(reader)] as const);
  }),
].map(([name, message]) => ({ name, html: renderMessage(message).html }));

const [sheet = ""] = /(?<=<style>).*?(?=<\/style>)/s.exec(mails[0]?.html ?? "") ?? [];

/** What the sheet sets, by class. */
const dark = new Map(
  [...sheet.matchAll(/^\.(\w+) \{ (.*) \}$/gm)].map(([, name = "", declarations = ""]) => [name, declarations]),
);

describe("the styles of a mail", () => {
  it("this test knows every mail", () => {
    const modules = [account, files, keys, moderation, notices, requests, scans, signIn, webhooks];
    const written = modules.flatMap(Object.keys).filter((name) => name.endsWith("Message"));
    expect([...Object.keys(inEnglish), ...Object.keys(translated)].sort()).toEqual(written.sort());
  });

  it.each(mails)("the dark sheet is in $name, and changes every color [MAIL-4]", ({ html }) => {
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain("@media (prefers-color-scheme: dark) {");
    expect(html).toContain(`<style>${sheet}</style>`);
    for (const [tag] of html.matchAll(/<\w[^>]*style="[^>]*>/g)) {
      const declarations = dark.get(/class="(\w+)"/.exec(tag)?.[1] ?? "") ?? "";
      for (const [, property = ""] of tag.matchAll(/["; ](color|background):/g)) {
        expect(declarations, tag).toMatch(new RegExp(`(^| )${property}: #[0-9a-f]{6} !important;`));
      }
    }
  });

  it("every class that the sheet names is used [MAIL-4]", () => {
    const used = new Set(mails.flatMap(({ html }) => [...html.matchAll(/class="(\w+)"/g)].map(([, name]) => name)));
    expect([...dark.keys()].sort()).toEqual(["action", "brand", "card", "muted", "page"]);
    expect([...used].sort()).toEqual([...dark.keys()].sort());
  });

  /** Success criterion 1.4.3 of WCAG 2.2 asks for 4.5. Muted text stands on the card and below it. */
  it.each([
    ["card", "card"],
    ["brand", "card"],
    ["action", "action"],
    ["muted", "card"],
    ["muted", "page"],
  ])("%s text on %s has a contrast of at least 4.5 in both styles [MAIL-4]", (text, ground) => {
    const html = mails.map((mail) => mail.html).join("");
    const light = (name: string) => new RegExp(`class="${name}" style="([^"]*)"`).exec(html)?.[1] ?? "";
    for (const styleOf of [light, (name: string) => dark.get(name) ?? ""]) {
      const color = /(?:^|[; ])color: ?(#[0-9a-f]{6})/.exec(styleOf(text))?.[1] ?? "";
      const background = /background: ?(#[0-9a-f]{6})/.exec(styleOf(ground))?.[1] ?? "";
      expect(contrast(color, background), `${color} on ${background}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** WCAG 2.2, "contrast ratio": of two colors such as "#0a1211". */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
