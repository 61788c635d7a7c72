import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers in place of the stored bytes. @returns whether it did */
type Trouble = (response: ServerResponse, sealed: Uint8Array, range: [number, number]) => boolean;

export interface SealedStore {
  urlOf(stream: number): string;
  /** `stream first-last` of each request. */
  asked: string[];
  /** Met by the next requests, one each. */
  troubles: Trouble[];
  close(): Promise<void>;
}

/** Serves stored streams over HTTP, as the site does. */
export async function openStore(streams: readonly Uint8Array[]): Promise<SealedStore> {
  const asked: string[] = [];
  const troubles: Trouble[] = [];
  const answer = ({ url = "", headers }: IncomingMessage, response: ServerResponse) => {
    const stream = Number(url.slice(1));
    const sealed = streams[stream] ?? new Uint8Array();
    const [, first = "0", last = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    asked.push(`${stream} ${first}-${last}`);
    const range: [number, number] = [Number(first), Number(last)];
    if (troubles.shift()?.(response, sealed, range) === true) return;
    response.writeHead(206, headersOf(sealed, range)).end(sealed.subarray(range[0], range[1] + 1));
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (stream) => `http://localhost:${port}/${stream}`,
    asked,
    troubles,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export function headersOf(sealed: Uint8Array, [first, last]: [number, number]): Record<string, string> {
  return { "content-range": `bytes ${first}-${last}/${sealed.length}`, "content-length": String(last - first + 1) };
}
