import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import type { EmailMessage, EmailMessageBuilder, SendEmail } from "@cloudflare/workers-types";
import { Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCloudflareTransport } from "#worker/mail/transports.ts";

const MAIL = {
  id: "mail-1",
  to: "to@example.com",
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello in plain text",
  headers: { "List-Unsubscribe": "<https://files.example/unsubscribe/1>" },
};

/** A value of MAIL_FROM, what the binding receives, and the header that the local platform writes. */
const SENDERS = [
  ["no-reply@example.com", "no-reply@example.com", "no-reply@example.com"],
  ["<no-reply@example.com>", "no-reply@example.com", "no-reply@example.com"],
  [
    "Mayfly <no-reply@example.com>",
    { name: "Mayfly", email: "no-reply@example.com" },
    '"Mayfly" <no-reply@example.com>',
  ],
  [
    '"Files, Inc." <no-reply@example.com>',
    { name: "Files, Inc.", email: "no-reply@example.com" },
    '"Files, Inc." <no-reply@example.com>',
  ],
  [
    String.raw`"The \"Files\"" <no-reply@example.com>`,
    { name: 'The "Files"', email: "no-reply@example.com" },
    String.raw`"The \"Files\"" <no-reply@example.com>`,
  ],
  [
    "Müllers Dateien 文件 <no-reply@example.com>",
    { name: "Müllers Dateien 文件", email: "no-reply@example.com" },
    '"Müllers Dateien 文件" <no-reply@example.com>',
  ],
] as const;

/** Stands in for the platform and records mails. */
function recordingBinding() {
  const received: (EmailMessage | EmailMessageBuilder)[] = [];
  const send = (message: EmailMessage | EmailMessageBuilder) => {
    received.push(message);
    return Promise.resolve({ messageId: "1" });
  };
  return { received, binding: { send } };
}

class AwaitedLog extends Log {
  readonly #lines = new EventEmitter<{ line: [string] }>();

  override logWithLevel(_level: LogLevel, message: string): void {
    this.#lines.emit("line", message);
  }

  /** Resolves with the next line that begins like that. */
  next(beginning: string): Promise<string> {
    return new Promise((resolve) => {
      const listen = (line: string) => {
        if (!line.startsWith(beginning)) return;
        this.#lines.off("line", listen);
        resolve(line);
      };
      this.#lines.on("line", listen);
    });
  }
}

describe("the Cloudflare transport", () => {
  it.each(SENDERS)("passes a mail from %s to the binding in the platform's type [MAIL-1]", async (from, expected) => {
    const { received, binding } = recordingBinding();
    await createCloudflareTransport(from, binding).send(MAIL);
    expect(received).toEqual([
      {
        from: expected,
        to: "to@example.com",
        subject: "Hello",
        html: "<p>Hello</p>",
        text: "Hello in plain text",
        headers: { "List-Unsubscribe": "<https://files.example/unsubscribe/1>" },
      },
    ]);
  });

  it("fails if the binding rejects the mail or is missing", async () => {
    const rejecting = { send: () => Promise.reject(new Error("E_SENDER_NOT_VERIFIED")) };
    await expect(createCloudflareTransport("us@example.com", rejecting).send(MAIL)).rejects.toThrow(
      "E_SENDER_NOT_VERIFIED",
    );
    await expect(createCloudflareTransport("us@example.com", undefined).send(MAIL)).rejects.toThrow(
      /no SEND_EMAIL binding/,
    );
    expect(() => createCloudflareTransport("somebody", rejecting)).toThrow(/MAIL_FROM/);
  });
});

describe("a mail through the local platform's send_email", () => {
  const log = new AwaitedLog(LogLevel.INFO);
  let platform: Miniflare;
  let binding: SendEmail;
  beforeAll(async () => {
    const script = "export default { fetch: () => new Response() }";
    platform = new Miniflare({
      log,
      cf: false,
      workers: [
        {
          config: {
            name: "mail",
            compatibilityDate: "2026-10-20",
            manifest: { mainModule: "index.js", modules: { "index.js": { type: "esm", contents: script } } },
            env: { SEND_EMAIL: { type: "send-email" } },
          },
        },
      ],
    });
    ({ SEND_EMAIL: binding } = await platform.getBindings<{ SEND_EMAIL: SendEmail }>());
  }, 60_000);
  afterAll(() => platform.dispose());

  it.each(SENDERS)("arrives from %s with both bodies [MAIL-1]", async (from, _expected, header) => {
    const line = log.next("send_email binding called with");
    await createCloudflareTransport(from, binding).send(MAIL);
    const lines = (await line).split("\n");
    expect(lines.slice(1, 4)).toEqual([`From: ${header}`, "To: to@example.com", "Subject: Hello"]);
    const written = ["Text: ", "HTML: "].map((label) => {
      const path = lines.find((each) => each.startsWith(label))?.slice(label.length);
      return readFileSync(path ?? "", "utf8");
    });
    expect(written).toEqual(["Hello in plain text", "<p>Hello</p>"]);
  });
});
