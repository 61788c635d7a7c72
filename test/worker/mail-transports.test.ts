import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { verifyMessage } from "#worker/mail/messages/account.tsx";
import { serving } from "../support/serving.ts";
import { Client, rowOf } from "../support/worker.ts";

type Transport = "cloudflare" | "resend" | "local";
type TakenBy = Record<Transport, string[]>;

/** Whom each of the three transports was given a mail to, in order. */
let taken: TakenBy;

beforeEach(() => {
  taken = { cloudflare: [], resend: [], local: [] };
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    expect(input).toBe("https://mail.example.com/emails");
    const { to } = JSON.parse(init?.body as string) as { to: string[] };
    taken.resend.push(...to);
    return Promise.resolve(Response.json({ id: "1" }));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The environment with that transport, in which each of the others would work too. */
function environment(transport: Transport): Env {
  const binding = {
    send: ({ to }: { to: string }) => {
      taken.cloudflare.push(to);
      return Promise.resolve({ messageId: "1" });
    },
  };
  return {
    ...env,
    MAIL_TRANSPORT: transport,
    RESEND_API_URL: "https://mail.example.com",
    RESEND_API_KEY: "a key",
    SEND_EMAIL: binding as unknown as SendEmail,
  };
}

async function keptInMailbox(to: string): Promise<number> {
  const { n } = await rowOf<{ n: number }>('select count(*) as n from local_mailbox where "to" = ?', to);
  return n;
}

describe("MAIL_TRANSPORT", () => {
  it.each<Transport>(["cloudflare", "resend", "local"])("%s sends mail that way, and no other", async (transport) => {
    const to = `${transport}-${crypto.randomUUID()}@example.com`;
    await servicesFor(environment(transport)).outbox.sendNow(verifyMessage(to, "https://example.com"));
    if ((await keptInMailbox(to)) === 1) taken.local.push(to);
    expect(taken).toEqual({ cloudflare: [], resend: [], local: [], [transport]: [to] });
  });
});

describe("the page /dev/mailbox", () => {
  const paths = ["/dev/mailbox", "/dev/mailbox/", "/dev/mailbox.data", "/DEV/mailbox"];

  it("shows the mail where the transport is local", async () => {
    const to = `${crypto.randomUUID()}@example.com`;
    await servicesFor(env).outbox.sendNow(verifyMessage(to, "https://example.com"));
    for (const path of paths) {
      const response = await new Client().fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).toContain(to);
    }
  });

  it.each<Transport>(["cloudflare", "resend"])("is 404 where it is %s, whatever was kept before", async (transport) => {
    const to = `${crypto.randomUUID()}@example.com`;
    await servicesFor(env).outbox.sendNow(verifyMessage(to, "https://example.com"));
    const visitor = new Client("", serving(environment(transport)));
    for (const path of paths) {
      const response = await visitor.fetch(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).not.toContain(to);
    }
  });
});
