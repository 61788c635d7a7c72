import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Line } from "../../soak/browsers/line.ts";

const LIMIT_MS = 10_000;

let server: Server;
let line: Line;
/** Lengths of complete bodies at the server. */
let whole: number[];

beforeEach(async () => {
  whole = [];
  server = createServer((request, response) => {
    let length = 0;
    request.on("data", (chunk: Buffer) => (length += chunk.length));
    request.on("end", () => {
      whole.push(length);
      response.writeHead(201, { "x-host": request.headers.host ?? "" }).end("taken");
    });
  });
  server.listen(0);
  await once(server, "listening");
  line = await Line.open();
  line.leadTo(`http://localhost:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  await line.close();
  server.close();
  server.closeAllConnections();
});

function put(path: string, length: number): Promise<Response> {
  return fetch(line.origin + path, { method: "PUT", body: new Uint8Array(length) });
}

test("a line forwards a request unchanged and records it", async () => {
  const answer = await put("/part?partNumber=1", 3_000_000);
  expect(answer.status).toBe(201);
  expect(await answer.text()).toBe("taken");
  // A presigned URL is valid for one host: the browser's.
  expect(answer.headers.get("x-host")).toBe(new URL(line.origin).host);
  expect(whole).toEqual([3_000_000]);
  expect(line.seen).toEqual([{ method: "PUT", path: "/part?partNumber=1", status: 201 }]);
});

test("a line holds selected bodies, closes connections when cut, and accepts them again when mended", async () => {
  line.hold(({ path }) => path === "/held");
  const held = put("/held", 3_000_000).then(
    () => "answered",
    () => "broken",
  );
  expect((await put("/other", 3_000_000)).status).toBe(201);
  await line.until("both are under way", () => line.seen.length === 2, LIMIT_MS);
  expect(whole).toEqual([3_000_000]);

  line.cut();
  expect(await held).toBe("broken");
  await expect(put("/other", 10)).rejects.toThrow();
  await line.until("one is rejected", () => line.rejected > 0, LIMIT_MS);
  expect(whole).toEqual([3_000_000]);

  line.reset();
  expect(line.seen).toEqual([]);
  expect((await put("/held", 3_000_000)).status).toBe(201);
  await line.rest();
  expect(line.seen).toEqual([{ method: "PUT", path: "/held", status: 201 }]);
});

test("a line's timeout names what it waited for", async () => {
  await expect(line.until("a part", () => false, 10)).rejects.toThrow("the line waited 10 ms for: a part");
});
