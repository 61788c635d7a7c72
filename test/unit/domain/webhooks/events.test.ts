import { describe, expect, it } from "vitest";
import { WEBHOOK_BODIES } from "#domain/webhooks/body.ts";
import { writeWebhookBody, type DeliveryType } from "#domain/webhooks/events.ts";

const createdAt = new Date(Date.UTC(2026, 10, 23, 12, 0, 0, 5));
const FILE = { id: "f1", downloadId: "d1", name: "a file.txt", size: 12, entries: null };

function write(type: DeliveryType, data: object): unknown {
  return JSON.parse(writeWebhookBody({ type, payload: JSON.stringify(data), createdAt }, "https://files.example.com"));
}

describe("the body of a webhook", () => {
  it("has the type, the time and the link", () => {
    expect(write("transfer.uploaded", { ...FILE, expiresAt: "2026-11-24T12:00:00.000Z" })).toEqual({
      type: "transfer.uploaded",
      timestamp: "2026-11-23T12:00:00.005Z",
      data: {
        id: "f1",
        downloadId: "d1",
        name: "a file.txt",
        size: 12,
        entries: null,
        expiresAt: "2026-11-24T12:00:00.000Z",
        link: "https://files.example.com/download/d1",
      },
    });
  });

  it.each<[DeliveryType, object]>([
    ["transfer.uploaded", { ...FILE, expiresAt: null }],
    ["transfer.downloaded", { ...FILE, count: 3 }],
    ["transfer.expired", { ...FILE, name: null, reason: "downloads" }],
    ["transfer.deleted", { ...FILE, entries: 4 }],
    ["ping", { webhookId: "w1" }],
  ])("follows the schema of %s", (type, data) => {
    expect(WEBHOOK_BODIES[type].safeParse(write(type, data)).error).toBeUndefined();
  });

  it("of a ping has no link", () => {
    expect(write("ping", { webhookId: "w1" })).toMatchObject({ data: { webhookId: "w1" } });
    expect(JSON.stringify(write("ping", { webhookId: "w1" }))).not.toContain("link");
  });

  it("stays below 20 KB with the longest name", () => {
    const longest = { ...FILE, name: "\u{1F98B}".repeat(255), expiresAt: null };
    const body = writeWebhookBody(
      { type: "transfer.uploaded", payload: JSON.stringify(longest), createdAt },
      "https://files.example.com",
    );
    expect(new Blob([body]).size).toBeLessThan(20_000);
  });
});
