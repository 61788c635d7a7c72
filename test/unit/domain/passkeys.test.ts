import { describe, expect, it } from "vitest";
import { deriveChallengeKey, issueChallenge, readChallenge, userHandleOf } from "#domain/passkeys.ts";

const LOGIN = { purpose: "login", holder: "" } as const;

describe("a challenge", () => {
  it("is good for five minutes [PKEY-3]", async () => {
    const key = await deriveChallengeKey("a secret");
    const challenge = await issueChallenge(key, LOGIN, 1_000_000);
    expect(await readChallenge(key, LOGIN, challenge, 1_299_999)).toEqual({ id: challenge, expiresAt: 1_300_000 });
    expect(await readChallenge(key, LOGIN, challenge, 1_300_000)).toBeNull();
  });

  it("is good for its purpose and its holder alone", async () => {
    const key = await deriveChallengeKey("a secret");
    const challenge = await issueChallenge(key, { purpose: "confirm", holder: "one" }, 0);
    expect(await readChallenge(key, { purpose: "confirm", holder: "one" }, challenge, 1)).not.toBeNull();
    expect(await readChallenge(key, { purpose: "confirm", holder: "two" }, challenge, 1)).toBeNull();
    expect(await readChallenge(key, { purpose: "add", holder: "one" }, challenge, 1)).toBeNull();
    expect(await readChallenge(key, LOGIN, challenge, 1)).toBeNull();
  });

  it("is refused under another secret, and when a character was changed", async () => {
    const key = await deriveChallengeKey("a secret");
    const challenge = await issueChallenge(key, LOGIN, 0);
    expect(await readChallenge(await deriveChallengeKey("another"), LOGIN, challenge, 1)).toBeNull();
    const first = challenge.startsWith("B") ? "C" : "B";
    expect(await readChallenge(key, LOGIN, `${first}${challenge.slice(1)}`, 1)).toBeNull();
    expect(await readChallenge(key, LOGIN, challenge.slice(0, -4), 1)).toBeNull();
    expect(await readChallenge(key, LOGIN, "", 1)).toBeNull();
  });

  it("differs from the next one of the same moment", async () => {
    const key = await deriveChallengeKey("a secret");
    expect(await issueChallenge(key, LOGIN, 0)).not.toBe(await issueChallenge(key, LOGIN, 0));
  });
});

it("writes the 16 bytes of an account's id as its user handle", () => {
  expect(userHandleOf("00112233-4455-6677-8899-aabbccddeeff")).toBe("ABEiM0RVZneImaq7zN3u_w");
});
