import { createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";

declare module "vitest" {
  interface ProvidedContext {
    scanners: Omit<ClamdDouble, "close">;
  }
}

/** In which bytes the double finds something. Not EICAR's file, which scanners on a developer's machine would remove. */
export const FOUND_IN = "MAYFLY-TEST-VIRUS";
/** A part of EICAR's file, in which every scanner finds something. */
const TEST_FILE_PART = ["EICAR-STANDARD", "ANTIVIRUS-TEST-FILE"].join("-");
const isTestFile = (file: Buffer) => file.includes(TEST_FILE_PART);
const isBad = (file: Buffer) => file.includes(FOUND_IN) || isTestFile(file);
const FINDING = "Mayfly.Test";

/** As clamd's StreamMaxLength. */
export const MAX_STREAM_BYTES = 5_000_000;

/**
 * What a scanner does. `lying`: says that all is well before it has the whole file. `silent`: never answers. `cutting`:
 * closes the connection in the middle.
 */
export const MOODS = ["well", "lying", "nonsense", "endless", "cutting", "busy"] as const;
export type Mood = (typeof MOODS)[number];

export interface ClamdDouble {
  /** Ports by mood: a test chooses the scanner by its port. */
  clamd: Record<Mood, number>;
  http: Record<Mood, number>;
  /** A port at which nothing listens. */
  nobody: number;
  close(): Promise<void>;
}

/**
 * Scanners for tests: clamd's command INSTREAM over TCP (the protocol of clamd's manual page), and one over HTTP. Their
 * answers depend on the bytes and on the port alone, so that tests do not disturb each other.
 */
export async function startClamdDouble(): Promise<ClamdDouble> {
  const servers: { close(done: () => void): unknown }[] = [];
  const listen = (server: ReturnType<typeof createServer>) =>
    new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  const clamd: Partial<Record<Mood, number>> = {};
  const http: Partial<Record<Mood, number>> = {};
  for (const mood of MOODS) {
    const tcp = createServer((socket) => speakClamd(socket, mood));
    const web = createHttpServer((request, response) => void answerHttp(request, response, mood));
    servers.push(tcp, web);
    clamd[mood] = await listen(tcp);
    http[mood] = await listen(web);
  }
  const closed = createServer();
  const nobody = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  return {
    clamd: clamd as Record<Mood, number>,
    http: http as Record<Mood, number>,
    nobody,
    close: async () => {
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    },
  };
}

const COMMAND = "zINSTREAM\0";

function speakClamd(socket: Socket, mood: Mood): void {
  let received = Buffer.alloc(0);
  const file: Buffer[] = [];
  let sizeBytes = 0;
  let isCommanded = false;
  const say = (answer: string) => {
    // What still comes is read and dropped: a reset of the connection would take the answer with it.
    return socket.removeAllListeners("data").resume().end(`${answer}\0`);
  };
  socket.on("error", () => undefined);
  socket.on("data", (piece) => {
    received = Buffer.concat([received, piece]);
    if (!isCommanded) {
      if (received.length < COMMAND.length) return;
      if (received.subarray(0, COMMAND.length).toString() !== COMMAND) return say("UNKNOWN COMMAND");
      isCommanded = true;
      received = received.subarray(COMMAND.length);
      if (mood === "lying") return say("stream: OK");
    }
    while (received.length >= 4) {
      const length = received.readUInt32BE(0);
      if (length === 0) return say(answerOf(mood, Buffer.concat(file)));
      if (received.length < 4 + length) return;
      file.push(received.subarray(4, 4 + length));
      sizeBytes += length;
      received = received.subarray(4 + length);
      if (mood === "cutting" && !isTestFile(Buffer.concat(file))) return void socket.destroy();
      if (sizeBytes > MAX_STREAM_BYTES) return say("INSTREAM size limit exceeded. ERROR");
    }
  });
}

function answerOf(mood: Mood, file: Buffer): string {
  // All but the liar find the test file, so that their answers about other files count.
  if (isTestFile(file)) return `stream: ${FINDING} FOUND`;
  if (mood === "nonsense") return "stream: perhaps";
  if (mood === "endless") return "x".repeat(100_000);
  if (mood === "busy") return "stream: Can't allocate memory ERROR";
  return isBad(file) ? `stream: ${FINDING} FOUND` : "stream: OK";
}

async function answerHttp(request: IncomingMessage, response: ServerResponse, mood: Mood): Promise<void> {
  if (mood === "lying") return void response.end(JSON.stringify({ infected: false }));
  const file: Buffer[] = [];
  for await (const piece of request) file.push(piece as Buffer);
  const bytes = Buffer.concat(file);
  if (isTestFile(bytes)) return void response.end(JSON.stringify({ infected: true, name: FINDING }));
  if (mood === "cutting") return void request.socket.destroy();
  if (mood === "busy") return void response.writeHead(503).end();
  if (mood === "nonsense") return void response.end("<p>Welcome</p>");
  if (mood === "endless") return void response.end(JSON.stringify({ infected: true, name: "x".repeat(100_000) }));
  if (request.headers.authorization !== "Bearer the scanner's key") return void response.writeHead(401).end();
  if (bytes.length > MAX_STREAM_BYTES) return void response.writeHead(413).end();
  response.end(JSON.stringify(isBad(bytes) ? { infected: true, name: FINDING } : { infected: false }));
}
