import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";

const BUFFER_BYTES = 1024 * 1024;

const agent = new Agent({ keepAlive: true });

/** PUTs bytes with node:http, which takes a tenth of the time that fetch takes. @returns the ETag */
export async function put(url: string, bytes: Uint8Array, contentType?: string): Promise<string> {
  const type = contentType === undefined ? {} : { "content-type": contentType };
  const headers = { "content-length": bytes.byteLength, ...type };
  const outgoing = request(url, { method: "PUT", agent, headers });
  const answered = new Promise<string>((settle, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) settle(response.headers.etag ?? "");
        else reject(new Error(`a PUT was answered with ${response.statusCode}`));
      });
    });
  });
  outgoing.end(bytes);
  return answered;
}

/**
 * Reads a resource from a plain socket and discards its bytes. Node's HTTP clients take longer for a gigabyte than the
 * store.
 * @returns the body's size in bytes
 * @throws Error unless the answer is 200 with a length
 */
export async function discard(url: string): Promise<number> {
  const { hostname, port, host, pathname, search } = new URL(url);
  let head = "";
  let sizeBytes = -1;
  let left = 0;
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer: new Uint8Array(BUFFER_BYTES),
      callback: (length, buffer) => {
        let inBody = length;
        if (sizeBytes < 0) {
          head += new TextDecoder("latin1").decode(buffer.subarray(0, length));
          const end = head.indexOf("\r\n\r\n");
          if (end < 0) return true;
          inBody = head.length - end - 4;
          sizeBytes = lengthIn(head.slice(0, end));
          left = sizeBytes;
        }
        left -= inBody;
        if (left <= 0) socket.destroy();
        return true;
      },
    },
  });
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  if (left !== 0) throw new Error(`${url} answered with ${sizeBytes} bytes, of which ${left} were missing`);
  return sizeBytes;
}

function lengthIn(head: string): number {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) throw new Error(`unexpected answer: ${head}`);
  return Number(length);
}
