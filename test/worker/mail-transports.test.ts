import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servicesFor } from "#worker/services.ts";
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
