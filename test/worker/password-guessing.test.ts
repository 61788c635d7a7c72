// @module-tag long
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { enforceRateLimit } from "#worker/limits/enforce-rate-limit.ts";
import { servicesFor } from "#worker/services.ts";
import { mailsTo } from "../support/mails.ts";
import { Recipient } from "../support/recipient.ts";
import { watchBackground, workerWith } from "../support/worker-with-env.ts";
import { sendFile, signUp, stopClockAt } from "../support/worker.ts";

const PASSWORD = "open sesame";
const limited = { ...env, RATE_LIMITS: "on" };
const limitedWorker = workerWith(limited);
const settled = watchBackground(limited);
const services = servicesFor(limited);
/** Never in the past: alarms that are due run at once. */
const START = Date.UTC(2100, 0, 1, 12);

let addresses = 0;

beforeEach(() => {
  stopClockAt(START);
  vi.spyOn(console, "log").mockReturnValue();
});

function newAddress(): string {
  addresses += 1;
  return `198.51.${100 + Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
}

function recipientAt(address = newAddress()): Recipient {
  return new Recipient((request) => {
    request.headers.set("cf-connecting-ip", address);
    return limitedWorker(request);
  });
}

async function sendLocked() {
  const owner = await signUp();
  return { owner, ...(await sendFile(owner, "the secret", { guards: { password: PASSWORD }, expiration: "3d" })) };
}

const statusesOf = async (tries: number, unlock: () => Promise<Response>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let tried = 0; tried < tries; tried += 1) statuses.push((await unlock()).status);
  return statuses;
};

/** The texts of the mails about guessing, which are sent behind the answers. */
async function toldTo(email: string): Promise<string[]> {
  await settled();
  return (await mailsTo(email)).flatMap(({ subject, text }) => (subject.includes("guessing") ? [text] : []));
}

describe("guessing a link's password", () => {
  it("is limited to five tries from an address, then to one a minute [GRD-12]", async () => {
    const { downloadId } = await sendLocked();
    const recipient = recipientAt();
    const wrong = () => recipient.unlock(downloadId, "open barley");
    expect(await statusesOf(5, wrong)).toEqual([403, 403, 403, 403, 403]);
    const refused = await wrong();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    // The right one has to wait, too: whoever guesses must not learn that it was right.
    expect((await recipient.unlock(downloadId, PASSWORD)).status).toBe(429);
    stopClockAt(START + 60_000);
    expect(await statusesOf(2, wrong)).toEqual([403, 429]);
    stopClockAt(START + 120_000);
    expect((await recipient.unlock(downloadId, PASSWORD)).status).toBe(200);
  });

  it("is limited to twenty tries of all links from an address in fifteen minutes", async () => {
    const links = await Promise.all([1, 2, 3, 4, 5].map(() => sendLocked()));
    const recipient = recipientAt();
    const statuses: number[] = [];
    for (const { downloadId } of links) {
      statuses.push(...(await statusesOf(4, () => recipient.unlock(downloadId, "open barley"))));
    }
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 403));
    expect((await recipient.unlock(links[0]?.downloadId ?? "", "open barley")).status).toBe(429);
  });

  it("hashes five of a thousand passwords from one address", async () => {
    const { downloadId } = await sendLocked();
    const recipient = recipientAt();
    const statuses = await statusesOf(1000, () => recipient.unlock(downloadId, "open barley"));
    expect(statuses.filter((status) => status === 403).length).toBe(5);
    expect(statuses.filter((status) => status === 429).length).toBe(995);
  });

  it("does not keep an office of thirty behind one address out", async () => {
    const { downloadId } = await sendLocked();
    const address = newAddress();
    expect(await statusesOf(30, () => recipientAt(address).unlock(downloadId, PASSWORD))).toEqual(
      Array.from({ length: 30 }, () => 200),
    );
  });

  it("from many addresses does not lock recipients out, and is told to the owner once an hour [GRD-12]", async () => {
    const { owner, uploadId, downloadId } = await sendLocked();
    const guess = async (tries: number) => {
      for (let tried = 0; tried < tries; tried += 1) await recipientAt().unlock(downloadId, "open barley");
    };
    // The limiter's count of 98 guesses that came before.
    const earlier = { ip: newAddress(), link: downloadId };
    for (let tried = 0; tried < 98; tried += 1) await enforceRateLimit(services, "wrongLinkPassword", earlier);
    await guess(2);
    expect((await recipientAt().unlock(downloadId, PASSWORD)).status).toBe(200);
    expect(await toldTo(owner.email)).toEqual([]);
    await guess(1);
    const texts = await toldTo(owner.email);
    expect(texts).toEqual([expect.stringContaining(`/dashboard?guards=${uploadId}`)]);
    await guess(2);
    expect(await toldTo(owner.email)).toEqual(texts);
  });
});
