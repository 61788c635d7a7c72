import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { senderMessage } from "#domain/wire.ts";
import { hostile, strangeText } from "../support/arbitrary.ts";
import { faultOfAnswer } from "../support/answer-faults.ts";
import { hostileRequest, toRequest, type HostileRequest } from "../support/hostile-requests.ts";
import { hostileStory, requestOf, startOf, type HostileStory } from "../support/hostile-stories.ts";
import { createOwned, type Owned } from "../support/owned.ts";
import { createRealIds, idsOfIt, type RealIds } from "../support/real-ids.ts";
import { serving } from "../support/serving.ts";
import { stripeEnv } from "../support/stripe.ts";
import { logInAdmin, putOnPlan, rowOf, signUp, type Client } from "../support/worker.ts";

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

/** So many requests, and after them so many stories, share their people and what they own: some of them end it. */
const ROUND = 150;
const STORIES = 15;

interface Round {
  owned: Owned;
  ids: RealIds;
  cookies: Record<HostileRequest["sender"], string>;
}

async function beginRound(): Promise<Round> {
  const [owned, other, admin] = [await createOwned(), await signUp(), await logInAdmin()];
  await putOnPlan(owned.owner.email, "ultimate");
  const ids = await createRealIds(owned.owner, owned);
  const forged = `mayfly.session_token=${owned.sessionId}.AAAA; mayfly.admin=${"0".repeat(64)}; mayfly.theme=%ff; =;;`;
  const cookieOf = ({ cookie }: Client) => cookie;
  const cookies = { owner: cookieOf(owned.owner), another: cookieOf(other), administrator: cookieOf(admin) };
  return { owned, ids, cookies: { ...cookies, forged, nobody: "" } };
}

let sent = 0;
const faults: string[] = [];

/** Sends a request and notes what is wrong with its answer. @returns a copy of the answer */
async function judge(request: Request, isStripe: boolean, said: () => string): Promise<Response | null> {
  sent += 1;
  try {
    const response = await serving(isStripe ? stripeEnv : env)(await withLength(request));
    const copy = response.webSocket ? null : response.clone();
    const { url } = request;
    const fault = await faultOfAnswer(response, { origin: env.APP_ORIGIN, url, isStripe });
    if (fault !== null) faults.push(`request ${sent}: ${fault}, to ${request.method} ${url.slice(0, 300)} ${said()}`);
    return copy;
  } catch (error) {
    faults.push(`request ${sent}: ${String(error)}, to ${request.method} ${request.url.slice(0, 300)} ${said()}`);
    return null;
  }
}

/** A form with its length, as browsers send it. */
async function withLength(request: Request): Promise<Request> {
  if (request.body === null || request.headers.has("content-length")) return request;
  const body = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set("content-length", String(body.byteLength));
  return new Request(request, { headers, body });
}

async function judgeRequest(hostile: HostileRequest, round: Round): Promise<void> {
  const request = toRequest(hostile, round, round.cookies[hostile.sender], env.APP_ORIGIN);
  if (request) await judge(request, hostile.isStripe, () => JSON.stringify(hostile).slice(0, 1000));
}

async function judgeStory(story: HostileStory, { cookies }: Round): Promise<void> {
  const said = () => JSON.stringify(story);
  const send = ({ path, init }: { path: string; init: RequestInit }, cookie: string) => {
    const request = new Request(new URL(path, env.APP_ORIGIN), { ...init, redirect: "manual" });
    if (cookie !== "") request.headers.set("cookie", cookie);
    return judge(request, false, said);
  };
  const started = await send(startOf(story), cookies.owner);
  if (started?.ok !== true) return;
  const { downloadId } = await started.json<{ downloadId: string }>();
  const { id } = await rowOf<{ id: string }>("select id from files where download_id = ?", downloadId);
  const ids = idsOfIt({ uploadId: id, downloadId });
  for (const { call, sender } of story.steps) {
    await send(requestOf(call, story.sizeBytes, ids), cookies[sender]);
  }
}

describe("no input makes a fault", () => {
  it(
    "of a request, whatever it asks for and whoever sends it",
    async () => {
      for (let done = 0; sent < COUNT; done += ROUND) {
        const round = await beginRound();
        const numRuns = Math.min(ROUND, COUNT - sent);
        for (const request of fc.sample(hostileRequest, { numRuns, seed: SEED + done }))
          await judgeRequest(request, round);
        if (sent >= COUNT) break;
        for (const story of fc.sample(hostileStory, { numRuns: STORIES, seed: SEED + done }))
          await judgeStory(story, round);
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
