import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { senderMessage } from "#domain/wire.ts";
import { hostile, edgeCaseText } from "../support/arbitrary.ts";
import { findResponseProblem } from "../support/response-problems.ts";
import { hostileRequest, toRequest, type HostileRequest } from "../support/hostile-requests.ts";
import { hostileSequence, stepRequest, startRequest, type HostileSequence } from "../support/hostile-sequences.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { createIdValues, sequenceIds, type IdValues } from "../support/id-placeholders.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { stripeEnv } from "../support/stripe.ts";
import { logInAdmin, putOnPlan, rowOf, signUp, type Client } from "../support/worker.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      /** The number of random requests, and their random seed. */
      FUZZ_REQUESTS: string;
      FUZZ_SEED: string;
    }
  }
}

const COUNT = Number(env.FUZZ_REQUESTS);
const SEED = Number(env.FUZZ_SEED);

/** Requests and sequences per round. Each round has new users and files, since some requests delete them. */
const ROUND = 150;
const SEQUENCES = 15;

interface Round {
  fixture: AccountFixture;
  ids: IdValues;
  cookies: Record<HostileRequest["sender"], string>;
}

async function beginRound(): Promise<Round> {
  const [fixture, other, admin] = [await createAccountFixture(), await signUp(), await logInAdmin()];
  await putOnPlan(fixture.owner.email, "ultimate");
  const ids = await createIdValues(fixture.owner, fixture);
  const forged = `mayfly.session_token=${fixture.sessionId}.AAAA; mayfly.admin=${"0".repeat(64)}; mayfly.theme=%ff; =;;`;
  const cookieOf = ({ cookie }: Client) => cookie;
  const cookies = { owner: cookieOf(fixture.owner), another: cookieOf(other), administrator: cookieOf(admin) };
  return { fixture, ids, cookies: { ...cookies, forged, nobody: "" } };
}

let sent = 0;
const faults: string[] = [];

/** Sends a request and records problems of the answer. @returns a copy of the answer */
async function checkAnswer(
  request: Request,
  isStripe: boolean,
  describeRequest: () => string,
): Promise<Response | null> {
  sent += 1;
  try {
    const response = await workerWith(isStripe ? stripeEnv : env)(await withLength(request));
    const copy = response.webSocket ? null : response.clone();
    const { url } = request;
    const fault = await findResponseProblem(response, { origin: env.APP_ORIGIN, url, isStripe });
    if (fault !== null)
      faults.push(`request ${sent}: ${fault}, to ${request.method} ${url.slice(0, 300)} ${describeRequest()}`);
    return copy;
  } catch (error) {
    faults.push(
      `request ${sent}: ${String(error)}, to ${request.method} ${request.url.slice(0, 300)} ${describeRequest()}`,
    );
    return null;
  }
}

/** Adds the Content-Length that browsers send. */
async function withLength(request: Request): Promise<Request> {
  if (request.body === null || request.headers.has("content-length")) return request;
  const body = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set("content-length", String(body.byteLength));
  // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- the method is the request's own
  return new Request(request, { headers, body });
}

async function runRequest(hostile: HostileRequest, round: Round): Promise<void> {
  const request = toRequest(hostile, round, round.cookies[hostile.sender], env.APP_ORIGIN);
  if (request) await checkAnswer(request, hostile.isStripe, () => JSON.stringify(hostile).slice(0, 1000));
}

async function runSequence(sequence: HostileSequence, { cookies }: Round): Promise<void> {
  const describeRequest = () => JSON.stringify(sequence);
  const send = ({ path, init }: { path: string; init: RequestInit }, cookie: string) => {
    const request = new Request(new URL(path, env.APP_ORIGIN), { ...init, redirect: "manual" });
    if (cookie !== "") request.headers.set("cookie", cookie);
    return checkAnswer(request, false, describeRequest);
  };
  const started = await send(startRequest(sequence), cookies.owner);
  if (started?.ok !== true) return;
  const { downloadId } = await started.json<{ downloadId: string }>();
  const { id } = await rowOf<{ id: string }>("select id from files where download_id = ?", downloadId);
  const ids = sequenceIds({ uploadId: id, downloadId });
  for (const { call, sender } of sequence.steps) {
    await send(stepRequest(call, sequence.sizeBytes, ids), cookies[sender]);
  }
}

describe("fuzzing", () => {
  it(
    "no random request causes a server error [TRF-11, VAL-28]",
    async () => {
      for (let offset = 0; sent < COUNT; offset += ROUND) {
        const round = await beginRound();
        const numRuns = Math.min(ROUND, COUNT - sent);
        for (const request of fc.sample(hostileRequest, { numRuns, seed: SEED + offset }))
          await runRequest(request, round);
        if (sent >= COUNT) break;
        for (const sequence of fc.sample(hostileSequence, { numRuns: SEQUENCES, seed: SEED + offset }))
          await runSequence(sequence, round);
      }
      expect(faults).toEqual([]);
    },
    60 * 60_000,
  );

  it(
    "no random socket message causes an unexpected close code",
    async () => {
      const message = fc.oneof(
        hostile(senderMessage).map((value) => JSON.stringify(value ?? null)),
        edgeCaseText,
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

/** Sends one message and closes the socket. @returns the server's close code */
async function closedBy(downloadId: string, cookie: string, data: string | ArrayBuffer): Promise<number> {
  const headers = { upgrade: "websocket", cookie };
  const response = await workerWith(env)(new Request(new URL(`/ws?id=${downloadId}`, env.APP_ORIGIN), { headers }));
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
