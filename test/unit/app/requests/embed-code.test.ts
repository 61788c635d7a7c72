import { execFileSync } from "node:child_process";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { embedCode } from "#app/features/requests/embed-code.ts";
import { LOCALES } from "#domain/locale.ts";
import { translatorFor } from "#messages/compiled.ts";

const WORDS = {
  senderName: "Your name",
  senderEmail: "Your email address",
  password: "Password",
  files: "Files",
  send: "Send",
  arrived: "Everything has arrived.",
};
const REQUEST = {
  link: "https://files.example/r/q3Zc8vV1sTn0bKx5Lr2YwA",
  kinds: null,
  asksName: false,
  asksEmail: false,
  hasPassword: false,
};

describe("the code for one's own site", () => {
  it("asks for what the request asks for, and nothing else [REQ-14]", () => {
    expect(embedCode(REQUEST, WORDS).form).toBe(`<form id="send-files">
  <label>Files <input name="files" type="file" multiple required></label>
  <button>Send</button>
  <output></output>
</form>`);
    const asking = { ...REQUEST, kinds: ["jpg", "tar.gz"], asksName: true, asksEmail: true, hasPassword: true };
    expect(embedCode(asking, WORDS).form).toBe(`<form id="send-files">
  <label>Your name <input name="senderName" required></label>
  <label>Your email address <input name="senderEmail" type="email" required></label>
  <label>Password <input name="password" type="password" required></label>
  <label>Files <input name="files" type="file" multiple accept=".jpg,.tar.gz" required></label>
  <button>Send</button>
  <output></output>
</form>`);
  });

  it("is JavaScript with the address and the token", () => {
    const { script } = embedCode(REQUEST, WORDS);
    expect(() => parseAst(script)).not.toThrow();
    expect(script).toContain('endpoint: "https://files.example/api/v1/tus"');
    expect(script).toContain('Authorization: "Bearer q3Zc8vV1sTn0bKx5Lr2YwA"');
  });

  it("is what a shell can read", () => {
    const { shell, install } = embedCode({ ...REQUEST, asksName: true, hasPassword: true }, WORDS);
    for (const lines of [shell, install]) execFileSync("sh", ["-n"], { input: lines });
    expect(shell).toContain('senderName $(printf %s "Ann" | base64');
  });

  it.each(LOCALES)("has words in %s that need no quoting", (locale) => {
    const t = translatorFor(locale, "requests");
    for (const word of [
      t("embedFields_senderName"),
      t("embedFields_senderEmail"),
      t("embedFields_password"),
      t("embedFields_files"),
      t("embedSend"),
      t("embedArrived"),
    ]) {
      expect(word).toMatch(/^[\p{L} .!-]+$/u);
    }
  });
});
