import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newWebhookSecret, signedHeaders } from "#domain/webhooks/delivery.ts";

/** The bytes 0 to 31. */
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);
const OTHER = "whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

describe("the signature of a webhook", () => {
  it("is over the id, the time in seconds and the body, with dots between, and comes in three headers", async () => {
    const headers = await signedHeaders([SECRET], "id_1", 1_700_000_000_999, "{}");
    const expected = createHmac("sha256", KEY).update("id_1.1700000000.{}").digest("base64");
    expect(headers).toEqual({
      "webhook-id": "id_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": `v1,${expected}`,
    });
  });

  it("is made with each secret after a rotation", async () => {
    const of = async (...secrets: string[]) =>
      (await signedHeaders(secrets, "id_1", 0, "ü"))["webhook-signature"] ?? "";
    expect(await of(SECRET, OTHER)).toBe(`${await of(SECRET)} ${await of(OTHER)}`);
    expect(await of(SECRET)).not.toBe(await of(OTHER));
  });

  it("has a secret of 256 random bits", () => {
    const [one, other] = [newWebhookSecret(), newWebhookSecret()];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(atob(one.slice(6))).toHaveLength(32);
    expect(one).not.toBe(other);
  });
});
