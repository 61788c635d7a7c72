// @module-tag long
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Carried } from "../../bench/lines/line-log.ts";
import { Line } from "../../bench/lines/line.ts";
import { capacityBytes, planFaults } from "../../bench/lines/plan.ts";
import type { LineShape } from "../../bench/lines/shapes.ts";

/** 20 Mbit/s, base 1000. */
const RATE_BYTES_PER_MS = 2500;
const SHAPE: LineShape = {
  name: "test",
  rates: [{ fromMs: 0, megabits: 20 }],
  roundTripMs: 40,
  windowBytes: 1_000_000,
  faults: [],
  fileBytes: 0,
};

let sink: Server;
let line: Line;
let port: number;
/** SHA-256 of what each connection brought. */
let hashes: string[];

beforeEach(async () => {
  hashes = [];
  sink = createServer({ allowHalfOpen: true }, (socket) => {
    const hash = createHash("sha256");
    socket.on("data", (bytes: Buffer) => hash.update(bytes));
    socket.on("error", () => undefined);
    socket.on("end", () => {
      hashes.push(hash.digest("hex"));
      socket.end("taken");
    });
  });
  sink.listen(0, "localhost");
  await once(sink, "listening");
  line = new Line(SHAPE);
  port = await line.open("store", { port: 0 });
  line.leadTo("store", { host: "localhost", port: (sink.address() as AddressInfo).port }, false);
});

afterEach(async () => {
  await line.close();
  sink.close();
});

/** Sends bytes on a connection of its own. @returns the answer */
async function send(bytes: Uint8Array): Promise<string> {
  const socket = connect(port, "localhost");
  socket.end(bytes);
  return answerOf(socket);
}

async function answerOf(socket: Socket): Promise<string> {
  let answer = "";
  socket.on("data", (bytes: Buffer) => (answer += bytes.toString()));
  await once(socket, "close");
  return answer;
}

function carriedUp(): Carried & { firstAt: number; lastAt: number } {
  const { up } = line.read().carried["store"] ?? {};
  if (!up || up.firstAt === null || up.lastAt === null) throw new Error("nothing was carried");
  return { ...up, firstAt: up.firstAt, lastAt: up.lastAt };
}

test("six connections together reach the line's rate within 3 %, and their bytes arrive unchanged", async () => {
  line.begin(SHAPE, "seed");
  const bodies = Array.from({ length: 6 }, () => randomBytes(1_000_000));
  expect(await Promise.all(bodies.map(send))).toEqual(Array.from({ length: 6 }, () => "taken"));
  expect(hashes.toSorted()).toEqual(bodies.map((body) => createHash("sha256").update(body).digest("hex")).toSorted());
  const { bodyBytes, firstAt, lastAt } = carriedUp();
  expect(bodyBytes).toBe(6_000_000);
  const share = bodyBytes / RATE_BYTES_PER_MS / (lastAt - firstAt);
  expect(share).toBeGreaterThan(0.97);
  expect(share).toBeLessThan(1.03);
});

test("a connection waits two round trips before its first byte", async () => {
  line.begin(SHAPE, "seed");
  const choseAt = performance.timeOrigin + performance.now();
  await send(randomBytes(10_000));
  expect(carriedUp().firstAt - choseAt).toBeGreaterThan(79);
});

test("one connection alone carries no more than its window in each round trip", async () => {
  line.begin({ ...SHAPE, windowBytes: 20_000 }, "seed");
  await send(randomBytes(200_000));
  const { firstAt, lastAt } = carriedUp();
  // Ten windows are on the line one after the other; a piece may exceed the window by its own length.
  expect(lastAt - firstAt).toBeGreaterThan(40 * (200_000 / (20_000 + 2_500) - 1) * 0.97);
});

test("a reset closes one connection in the middle of its body", async () => {
  const faults: LineShape["faults"] = [{ kind: "resets", everyMs: 600 }];
  line.begin({ ...SHAPE, faults }, "seed");
  const socket = connect(port, "localhost");
  const broken = once(socket, "error");
  socket.write(randomBytes(10_000_000));
  const [error] = (await broken) as [NodeJS.ErrnoException];
  expect(error.code).toMatch(/ECONNRESET|EPIPE/);
  const [first] = line.read().faults;
  expect(first?.kind).toBe("resets");
  expect(hashes).toEqual([]);
});

test("nothing passes while the line is out, and everything goes on afterwards", async () => {
  const faults: LineShape["faults"] = [{ kind: "outage", aboutMs: 200, lastsMs: 700 }];
  line.begin({ ...SHAPE, faults }, "seed");
  const body = randomBytes(1_500_000);
  expect(await send(body)).toBe("taken");
  expect(hashes).toEqual([createHash("sha256").update(body).digest("hex")]);
  const [outage] = line.read().faults;
  if (!outage) throw new Error("there was no outage");
  const { beganAt } = line.read();
  const from = (beganAt ?? 0) + outage.atMs;
  const during = carriedUp().bins.filter(([bin]) => bin * 10 > from + 10 && bin * 10 < from + 690);
  expect(during).toEqual([]);
});

test("a stall holds one connection, and the others have the line", async () => {
  const faults: LineShape["faults"] = [{ kind: "stall", aboutMs: 250, lastsMs: 60_000 }];
  line.begin({ ...SHAPE, faults }, "seed");
  const sent = [randomBytes(1_000_000), randomBytes(1_000_000)].map((body) => {
    const socket = connect(port, "localhost");
    socket.end(body);
    return answerOf(socket);
  });
  expect(await Promise.race(sent)).toBe("taken");
  expect(hashes).toHaveLength(1);
});

test("the same seed plans the same faults", () => {
  const faults: LineShape["faults"] = [
    { kind: "resets", everyMs: 20_000 },
    { kind: "outage", aboutMs: 14_000, lastsMs: 5_000 },
  ];
  const planned = planFaults({ faults }, "one");
  expect(planFaults({ faults }, "one")).toEqual(planned);
  expect(planFaults({ faults }, "another")).not.toEqual(planned);
  expect(planned.filter(({ kind }) => kind === "resets")).toHaveLength(15);
  expect(planned.map(({ atMs }) => atMs)).toEqual(planned.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
});

test("a line's capacity follows its rates and leaves outages out", () => {
  const rates = [
    { fromMs: 0, megabits: 40 },
    { fromMs: 8_000, megabits: 2 },
    { fromMs: 16_000, megabits: 40 },
  ];
  // 8 s of 5 MB/s, 8 s of 0.25 MB/s, 2 s of 5 MB/s.
  expect(capacityBytes({ rates }, [], 0, 18_000)).toBe(52_000_000);
  expect(capacityBytes({ rates }, [{ atMs: 3_000, lastsMs: 1_000 }], 0, 18_000)).toBe(47_000_000);
  expect(capacityBytes({ rates }, [], 1_000, 2_000)).toBe(5_000_000);
});
