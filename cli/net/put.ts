import { KIB } from "#domain/units.ts";
import { UploadError } from "#engine/errors.ts";
import type { Put, PutResponse } from "#engine/ports.ts";
import { networkFailure, PROXY_TIMEOUT_MS, proxyTimeout, rejection } from "#engine/put.ts";
import { startRequest } from "./fetch.ts";

/** Progress is told after each piece. */
const PIECE_BYTES = 256 * KIB;

/**
 * With a fixed length, which storage demands: `fetch` sends a stream in chunks.
 * @param headers for our server, and for it alone @param onServerLost our server did not answer
 */
export function putWith(headers: Record<string, string>, onServerLost: () => void): Put {
  return async (url, body, { transport, contentType, signal, onProgress }) => {
    signal.throwIfAborted();
    const bytes = await readAll(body);
    return new Promise<PutResponse>((resolve, reject) => {
      const sending = startRequest(url, {
        method: "PUT",
        headers: {
          "content-length": bytes.length,
          "content-type": contentType,
          ...(transport === "proxy" && headers),
        },
        signal,
      });
      let isLate = false;
      let hasEnded = false;
      const timer =
        transport === "proxy"
          ? setTimeout(() => {
              isLate = true;
              sending.destroy();
            }, PROXY_TIMEOUT_MS)
          : undefined;
      const fail = () => {
        clearTimeout(timer);
        if (hasEnded) return;
        hasEnded = true;
        if (signal.aborted) reject(new DOMException("Upload aborted", "AbortError"));
        else if (isLate) reject(proxyTimeout());
        else {
          if (transport === "proxy") onServerLost();
          reject(networkFailure(transport));
        }
      };
      let isAnswered = false;
      sending.on("error", () => {
        // A server that refuses early closes the line under our bytes: its answer says why.
        if (!isAnswered) fail();
      });
      sending.on("close", fail);
      sending.on("response", (response) => {
        isAnswered = true;
        const { statusCode: status = 0, headers: answered } = response;
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("error", fail);
        response.on("end", () => {
          clearTimeout(timer);
          hasEnded = true;
          if (status >= 200 && status < 300) resolve({ etag: answered.etag ?? "", text });
          else reject(rejection(transport, status, text));
        });
      });
      sendPieces(
        bytes,
        (piece, next) => sending.write(piece, next),
        onProgress,
        () => sending.end(),
      );
    });
  };
}

/** @throws UploadError for a file that is gone or has changed */
async function readAll(body: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (error) {
    throw new UploadError({ code: "fileChanged" }, { cause: error });
  }
}

function sendPieces(
  bytes: Uint8Array,
  write: (piece: Uint8Array, next: (error?: Error | null) => void) => unknown,
  onProgress: (sentBytes: number) => void,
  onEnd: () => void,
  from = 0,
): void {
  if (from >= bytes.length) {
    onEnd();
    return;
  }
  const to = Math.min(bytes.length, from + PIECE_BYTES);
  write(bytes.subarray(from, to), (error) => {
    // "error" of the request tells it, too.
    if (error) return;
    onProgress(to);
    sendPieces(bytes, write, onProgress, onEnd, to);
  });
}
