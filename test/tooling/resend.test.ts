import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createResendTransport } from "#worker/mail/transports.ts";

const received: { headers: IncomingMessage["headers"]; body: Record<string, unknown> }[] = [];
const provider = createServer((request, response) => {
  void (async () => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    const shapely =
      request.method === "POST" &&
      request.url === "/emails" &&
      request.headers.authorization === "Bearer the key" &&
      request.headers["content-type"] === "application/json" &&
      typeof body.from === "string" &&
      Array.isArray(body.to) &&
      typeof body.subject === "string";
    received.push({ headers: request.headers, body });
    const status = shapely ? (body.subject === "refuse me" ? 500 : 200) : 422;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ id: "1" }));
  })();
});
let address = "";

beforeAll(async () => {
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => provider.close());

const mail = {
  id: "mail-1",
  to: "to@example.com",
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: { "List-Unsubscribe": "<https://files.example/unsubscribe/1>" },
};

describe("the Resend transport", () => {
  it("sends both bodies, and the mail's id as idempotency key [MAIL-1]", async () => {
    await createResendTransport("Us <us@example.com>", address, "the key").send(mail);
    expect(received.at(-1)).toMatchObject({
      headers: { "idempotency-key": "mail-1" },
      body: {
        from: "Us <us@example.com>",
        to: ["to@example.com"],
        subject: "Hello",
        html: "<p>Hello</p>",
        text: "Hello",
        headers: { "List-Unsubscribe": "<https://files.example/unsubscribe/1>" },
      },
    });
  });

  it("fails if the provider rejects the mail", async () => {
    const transport = createResendTransport("us@example.com", address, "the key");
    await expect(transport.send({ ...mail, subject: "refuse me" })).rejects.toThrow(/500/);
    await expect(createResendTransport("us@example.com", address, "another").send(mail)).rejects.toThrow(/422/);
  });
});
