import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createKey, isKey, shardOfKey } from "#domain/api-keys.ts";
import { newLinkToken, newRowId, shardOfLinkToken, shardOfRowId } from "#domain/ids.ts";

const SHARDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const many = <Made>(make: () => Made): Made[] => Array.from({ length: 200 }, make);

describe.each(SHARDS)("in shard %i", (shard) => {
  it("every new download id and request token names it and has the published form", () => {
    for (const token of many(() => newLinkToken(shard))) {
      expect(token).toMatch(/^[\w-]{22}$/);
      expect(shardOfLinkToken(token)).toBe(shard);
    }
  });

  it("every new file id names it and is a UUID", () => {
    for (const id of many(() => newRowId(shard))) {
      expect(z.safeParse(z.uuid(), id).success).toBe(true);
      expect(id).toMatch(
        new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-8${shard.toString(16)}[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
      );
      expect(shardOfRowId(id)).toBe(shard);
    }
  });

  it("every new API key names it and has the published form", () => {
    for (const key of many(() => createKey(shard))) {
      expect(key).toMatch(/^mayfly_[0-9A-Za-z]{38}$/);
      expect(shardOfKey(key)).toBe(shard);
    }
  });
});

describe("ids from before name shard 0", () => {
  it("download ids and request tokens [GROW-1]", () => {
    // Sixteen bytes in base64url: 0xff…ff, 0x00…00, and two of a deployment.
    for (const token of [
      "_____________________w",
      "AAAAAAAAAAAAAAAAAAAAAA",
      "Zm9vYmFyYmF6cXV4MTIzNA",
      "0Q8dTn6vY1mXk3rPq7sUwg",
    ]) {
      expect(shardOfLinkToken(token)).toBe(0);
    }
  });

  it("file ids, which are random UUIDs", () => {
    for (const id of ["f81d4fae-7dec-41d0-8765-00a0c91e6bf6", crypto.randomUUID()]) expect(shardOfRowId(id)).toBe(0);
  });

  it("API keys, which end in their CRC-32", () => {
    expect(shardOfKey(`mayfly_${"0".repeat(32)}2wjyrI`)).toBe(0);
    expect(shardOfKey(`mayfly_${"z".repeat(32)}4W8LJS`)).toBe(0);
  });
});

describe("what is random stays so", () => {
  it("a download id has 128 random bits: 64 values in 21 places, four in the last", () => {
    const tokens = Array.from({ length: 2000 }, () => newLinkToken(3));
    expect(new Set(tokens).size).toBe(2000);
    const valuesAt = (place: number) => new Set(tokens.map((token) => token.charAt(place))).size;
    expect(Array.from({ length: 22 }, (_, place) => valuesAt(place))).toEqual([
      ...Array.from({ length: 21 }, () => 64),
      4,
    ]);
  });

  it("a file id has 118 random bits: 16 values in 29 places, four at the variant", () => {
    const ids = Array.from({ length: 2000 }, () => newRowId(3).replaceAll("-", ""));
    const valuesAt = (place: number) => new Set(ids.map((id) => id.charAt(place))).size;
    const values = Array.from({ length: 32 }, (_, place) => valuesAt(place));
    // The version, the shard and the variant are the 13th, 14th and 17th digits.
    expect([values[12], values[13], values[16]]).toEqual([1, 1, 4]);
    expect(values.filter((count) => count === 16)).toHaveLength(29);
  });
});

it("a key is no key of another shard with any one character changed", () => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".split("");
  for (const shard of SHARDS) {
    const key = createKey(shard);
    for (let place = 7; place < key.length; place += 1) {
      for (const digit of digits.filter((other) => other !== key.charAt(place))) {
        expect(isKey(`${key.slice(0, place)}${digit}${key.slice(place + 1)}`)).toBe(false);
      }
    }
  }
});
