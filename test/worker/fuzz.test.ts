import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { senderMessage } from "#domain/wire.ts";
import { hostile, strangeText } from "../support/arbitrary.ts";
import { hostileRequest, toRequest, type HostileRequest } from "../support/hostile-requests.ts";
import { createOwned, type Owned } from "../support/owned.ts";
import { serving } from "../support/serving.ts";
import { stripeEnv } from "../support/stripe.ts";
import { logInAdmin, putOnPlan, signUp, type Client } from "../support/worker.ts";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      /** How many requests are sent, and what they are drawn from. */
      FUZZ_REQUESTS: string;
      FUZZ_SEED: string;
    }
  }
}

const COUNT = Number(env.FUZZ_REQUESTS);
const SEED = Number(env.FUZZ_SEED);

/** So many requests share their people and what they own: some of them end sessions, accounts and files. */
const ROUND = 200;

interface Round {
  owned: Owned;
  cookies: Record<HostileRequest["sender"], string>;
}

async function beginRound(): Promise<Round> {
  const [owned, other, admin] = [await createOwned(), await signUp(), await logInAdmin()];
  await putOnPlan(owned.owner.email, "ultimate");
  const forged = `mayfly.session_token=${owned.sessionId}.AAAA; mayfly.admin=${"0".repeat(64)}; mayfly.theme=%ff; =;;`;
  const cookieOf = ({ cookie }: Client) => cookie;
  const cookies = { owner: cookieOf(owned.owner), another: cookieOf(other), administrator: cookieOf(admin) };
  return { owned, cookies: { ...cookies, forged, nobody: "" } };
}

/** A status of 500 and above is a fault of ours; but what was never set up may say so. */
async function faultIn(hostile: HostileRequest, { owned, cookies }: Round): Promise<string | null> {
  const request = toRequest(hostile, owned, cookies[hostile.sender], env.APP_ORIGIN);
  if (!request) return null;
  const settings = hostile.isStripe ? stripeEnv : env;
  const said = () => `${hostile.method} ${request.url.slice(0, 300)} ${JSON.stringify(hostile).slice(0, 1000)}`;
  try {
    const response = await serving(settings)(request);
    const text = response.webSocket ? "" : await response.text();
    response.webSocket?.accept();
    response.webSocket?.close();
    if (response.status < 500 || (!hostile.isStripe && text.includes("BILLING_UNAVAILABLE"))) return null;
    return `${response.status} ${text.slice(0, 300)} to ${said()}`;
  } catch (error) {
    return `${String(error)} to ${said()}`;
  }
}

describe("no input makes a fault", () => {
  it(
    "of a request, whatever it asks for and whoever sends it",
    async () => {
      const faults: string[] = [];
      for (let done = 0; done < COUNT; done += ROUND) {
        const round = await beginRound();
        const requests = fc.sample(hostileRequest, { numRuns: Math.min(ROUND, COUNT - done), seed: SEED + done });
        for (const request of requests) {
          const fault = await faultIn(request, round);
          if (fault !== null) faults.push(fault);
        }
      }
      expect(faults).toEqual([]);
    },
    60 * 60_000,
  );

  it(
    "of a message on a socket, whatever it says",
    async () => {
      const message = fc.oneof(
        hostile(senderMessage).map((value) => JSON.stringify(value ?? null)),
        strangeText,
        fc.uint8Array({ maxLength: 5000 }).map((bytes) => new Uint8Array(bytes).buffer),
      );
      const owner = await signUp();
      const { downloadId } = await owner.startUpload(20_000_000);
      const { downloadId: watched } = await owner.startUpload(5);
      for (const data of fc.sample(message, { numRuns: Math.ceil(COUNT / 20), seed: SEED })) {
        for (const [id, cookie] of [
          [downloadId, owner.cookie],
          [watched, ""],
        ] as const) {
          const code = await closedBy(id, cookie, data);
          expect([1000, 1007, 1008, 1009], JSON.stringify(data)).toContain(code);
        }
      }
      const info = await owner.fetch(`/api/files/download/${downloadId}`);
      expect(await info.json()).toMatchObject({ status: "uploading" });
    },
    60 * 60_000,
  );
});

/** Sends one message and says goodbye. @returns the code that the other side closes with */
async function closedBy(downloadId: string, cookie: string, data: string | ArrayBuffer): Promise<number> {
  const headers = { upgrade: "websocket", cookie };
  const response = await serving(env)(new Request(new URL(`/ws?id=${downloadId}`, env.APP_ORIGIN), { headers }));
  const socket = response.webSocket ?? expect.unreachable();
  socket.accept();
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", ({ code }) => {
      resolve(code);
    });
  });
  socket.send(data);
  socket.close(1000);
  return closed;
}
