import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { MailRefusedError } from "#worker/mail/message.tsx";
import { verifyMessage } from "#worker/mail/messages/account.tsx";
import { workerWith } from "../support/worker-with-env.ts";
import { Client, rowOf } from "../support/worker.ts";

type Transport = "cloudflare" | "resend" | "local";

/** The addressees of the mails sent through each transport. */
let sentTo: Record<Transport, string[]>;

beforeEach(() => {
  sentTo = { cloudflare: [], resend: [], local: [] };
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    expect(input).toBe("https://mail.example.com/emails");
    const { to } = JSON.parse(init?.body as string) as { to: string[] };
    sentTo.resend.push(...to);
    return Promise.resolve(Response.json({ id: "1" }));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const fakeBinding: SendEmail = {
  send: ({ to }: EmailMessage | EmailMessageBuilder) => {
    if (typeof to !== "string") throw new Error("expected one addressee");
    sentTo.cloudflare.push(to);
    return Promise.resolve({ messageId: "1" });
  },
};

/** Selects a transport in an environment where all three would work. */
function environment(transport: Transport): Env {
  return {
    ...env,
    MAIL_TRANSPORT: transport,
    RESEND_API_URL: "https://mail.example.com",
    RESEND_API_KEY: "a key",
    SEND_EMAIL: fakeBinding,
  };
}

async function countInMailbox(to: string): Promise<number> {
  const { n } = await rowOf<{ n: number }>('select count(*) as n from local_mailbox where "to" = ?', to);
  return n;
}

describe("MAIL_TRANSPORT", () => {
  it.each<Transport>(["cloudflare", "resend", "local"])(
    "%s sends mail only through that transport [MAIL-1]",
    async (transport) => {
      const to = `${transport}-${crypto.randomUUID()}@example.com`;
      await servicesFor(environment(transport)).outbox.sendNow(verifyMessage(to, "https://example.com"));
      if ((await countInMailbox(to)) === 1) sentTo.local.push(to);
      expect(sentTo).toEqual({ cloudflare: [], resend: [], local: [], [transport]: [to] });
    },
  );
});

describe("a refusal", () => {
  const message = verifyMessage("a@example.com", "https://example.com");

  it.each([
    ["E_RECIPIENT_SUPPRESSED", true],
    ["E_VALIDATION_ERROR", true],
    ["E_HEADER_VALUE_INVALID", true],
    ["E_HEADERS_TOO_LARGE", true],
    ["E_CONTENT_TOO_LARGE", true],
    ["E_DAILY_LIMIT_EXCEEDED", false],
    ["E_RATE_LIMIT_EXCEEDED", false],
    ["E_SENDER_NOT_VERIFIED", false],
    ["E_RECIPIENT_NOT_ALLOWED", false],
    ["E_INTERNAL_SERVER_ERROR", false],
    [undefined, false],
  ])("of Cloudflare with the code %s is for good: %s", async (code, isForGood) => {
    const send = () => Promise.reject(Object.assign(new Error("no"), { code }));
    const { outbox } = servicesFor({ ...environment("cloudflare"), SEND_EMAIL: { send } });
    const error: unknown = await outbox.sendNow(message).catch((thrown: unknown) => thrown);
    expect([error instanceof Error, error instanceof MailRefusedError]).toEqual([true, isForGood]);
  });

  it.each([
    [422, "validation_error", true],
    [422, "invalid_from_address", false],
    [401, "missing_api_key", false],
    [403, "validation_error", false],
    [429, "daily_quota_exceeded", false],
    [500, "application_error", false],
  ])("of Resend with status %i and name %s is for good: %s", async (status, name, isForGood) => {
    vi.mocked(fetch).mockResolvedValueOnce(Response.json({ statusCode: status, name, message: "no" }, { status }));
    const sending = servicesFor(environment("resend")).outbox.sendNow(message);
    const error: unknown = await sending.catch((thrown: unknown) => thrown);
    expect([error instanceof Error, error instanceof MailRefusedError]).toEqual([true, isForGood]);
  });
});

describe("the page /dev/mailbox", () => {
  const paths = ["/dev/mailbox", "/dev/mailbox/", "/dev/mailbox.data", "/DEV/mailbox"];

  it("the mailbox shows mails if the transport is local", async () => {
    const to = `${crypto.randomUUID()}@example.com`;
    await servicesFor(env).outbox.sendNow(verifyMessage(to, "https://example.com"));
    for (const path of paths) {
      const response = await new Client().fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).toContain(to);
    }
  });

  it.each<Transport>(["cloudflare", "resend"])(
    "the mailbox is 404 if the transport is %s, even with saved mails [MAIL-3]",
    async (transport) => {
      const to = `${crypto.randomUUID()}@example.com`;
      await servicesFor(env).outbox.sendNow(verifyMessage(to, "https://example.com"));
      const visitor = new Client("", workerWith(environment(transport)));
      for (const path of paths) {
        const response = await visitor.fetch(path);
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.text()).not.toContain(to);
      }
    },
  );
});
