import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { PartSender } from "#engine/part-sender.ts";
import type { Put, PutResponse } from "#engine/ports.ts";
import { networkFailure } from "#engine/put.ts";
import { nodePorts } from "./node-ports.ts";

const PART_BYTES = 8_000_000;

/** A PUT under way. The test moves, breaks and answers it. */
interface Sent {
  url: string;
  move(sentBytes: number): void;
  fail(): void;
  answer(): void;
}

let sent: Sent[];
let failures: string[];
let transports: string[];
let repairs: number;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  failures = [];
  transports = [];
  repairs = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const put: Put = (url, _body, { signal, onProgress }) =>
  new Promise<PutResponse>((resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(new DOMException("Upload aborted", "AbortError"));
    });
    sent.push({
      url,
      move: onProgress,
      fail: () => {
        reject(networkFailure("direct"));
      },
      answer: () => {
        const etag = `etag of ${url}`;
        // Our server says it in its answer.
        resolve({ etag, text: JSON.stringify({ etag }) });
      },
    });
  });

/** @param repair the call that repairs the CORS rules */
function open(repair: () => Promise<unknown> = () => Promise.resolve()): PartSender<number> {
  const fixCors = () => {
    repairs += 1;
    return repair();
  };
  const ports = nodePorts({ fixCors });
  return new PartSender<number>(
    { ...ports, put },
    {
      urls: { get: (part) => Promise.resolve(`/${part}`), delete: () => undefined, clear: () => undefined },
      proxyUrl: (part) => `/proxy/${part}`,
      proxyAnswer: z.object({ etag: z.string() }),
      describe: (part) => `part ${part}`,
      contentType: "application/octet-stream",
      signal: new AbortController().signal,
      onTransport: (transport) => transports.push(transport),
      onFailure: (cause) => failures.push(cause),
    },
  );
}

function send(sender: PartSender<number>, part: number): Promise<string> {
  const body = new Blob([new Uint8Array(PART_BYTES)]);
  return sender.send({ part, body, onProgress: () => undefined });
}

const under = async (count: number) => {
  await vi.waitUntil(() => sent.length === count);
};

it("a part that stalls beside others is sent again, and the upload does not wait for its time-out [UP-28]", async () => {
  const sender = open();
  const stalls = send(sender, 1);
  await under(1);
  sent[0]?.move(1_000_000);
  const others = [2, 3, 4].map((part) => send(sender, part));
  await under(4);
  await vi.advanceTimersByTimeAsync(8_000);
  for (const other of sent.slice(1)) other.move(PART_BYTES - 1);
  await under(5);
  expect(sent.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/4", "/1"]);
  expect(failures).toEqual(["stalled"]);
  for (const put of sent.slice(1)) put.answer();
  expect(await stalls).toBe("etag of /1");
  await Promise.all(others);
});

it("a connection that breaks in the middle of the first part is no matter of CORS [UP-29]", async () => {
  const sending = send(open(), 1);
  await under(1);
  sent[0]?.move(100_000);
  sent[0]?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  await under(2);
  sent[1]?.answer();
  expect(await sending).toBe("etag of /1");
  expect(failures).toEqual(["network"]);
  expect({ repairs, transports }).toEqual({ repairs: 0, transports: [] });
});

it("a first part that breaks before any byte repairs the CORS rules", async () => {
  const sending = send(open(), 1);
  await under(1);
  sent[0]?.fail();
  await under(2);
  sent[1]?.answer();
  expect(await sending).toBe("etag of /1");
  expect(repairs).toBe(1);
});

it("the CORS rules are repaired once in an upload, with at most 3 retries, and then parts go through the server [UP-19]", async () => {
  const sender = open(() => Promise.reject(new TypeError("fetch failed")));
  const sending = [1, 2].map((part) => send(sender, part));
  await under(2);
  sent[0]?.fail();
  sent[1]?.fail();
  // More than all of its waits.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(repairs).toBe(4);
  await under(4);
  sent[2]?.fail();
  sent[3]?.fail();
  await under(6);
  sent[4]?.answer();
  sent[5]?.answer();
  expect(await Promise.all(sending)).toEqual(["etag of /proxy/1", "etag of /proxy/2"]);
  expect(sent.map(({ url }) => url)).toEqual(["/1", "/2", "/1", "/2", "/proxy/1", "/proxy/2"]);
  expect(repairs).toBe(4);
  expect(transports).toEqual(["proxy"]);
});
