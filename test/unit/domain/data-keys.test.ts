import { describe, expect, it } from "vitest";
import { deriveDataKeys, openSecret, sealSecret } from "#domain/data-keys.ts";

const SECRET = "a data key that is long enough for tests";

describe("a sealed secret", () => {
  it("opens with the same key, for the same owner", async () => {
    const sealed = await sealSecret(await deriveDataKeys(SECRET, ""), "webhook:1", "whsec_ü");
    expect(sealed).toMatch(/^[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(await openSecret(await deriveDataKeys(SECRET, ""), "webhook:1", sealed)).toBe("whsec_ü");
  });

  it("does not open for another owner, with another key, or changed", async () => {
    const key = await deriveDataKeys(SECRET, "");
    const sealed = await sealSecret(key, "webhook:1", "whsec_a");
    expect(await openSecret(key, "webhook:2", sealed)).toBeNull();
    const other = await deriveDataKeys(`${SECRET}.`, "");
    expect(await openSecret(other, "webhook:1", sealed)).toBeNull();
    const mixed = { ...other, present: { ...other.present, id: key.present.id } };
    expect(await openSecret(mixed, "webhook:1", sealed)).toBeNull();
    const [id, nonce, ciphertext = ""] = sealed.split(".");
    const changed = `${ciphertext.startsWith("A") ? "B" : "A"}${ciphertext.slice(1)}`;
    expect(await openSecret(key, "webhook:1", `${id}.${nonce}.${changed}`)).toBeNull();
    expect(await openSecret(key, "webhook:1", "")).toBeNull();
  });

  it("opens with the former key too, and is sealed with the present one alone", async () => {
    const sealed = await sealSecret(await deriveDataKeys(SECRET, ""), "webhook:1", "whsec_a");
    const renewed = await deriveDataKeys("another data key that is long enough", SECRET);
    expect(await openSecret(renewed, "webhook:1", sealed)).toBe("whsec_a");
    const anew = await sealSecret(renewed, "webhook:1", "whsec_a");
    expect(await openSecret(await deriveDataKeys(SECRET, ""), "webhook:1", anew)).toBeNull();
  });

  it("is another text each time", async () => {
    const key = await deriveDataKeys(SECRET, "");
    expect(await sealSecret(key, "webhook:1", "a")).not.toBe(await sealSecret(key, "webhook:1", "a"));
  });
});
