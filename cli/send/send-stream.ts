import { addAbortSignal, type Readable } from "node:stream";
import { TUS_REQUEST_BYTES } from "#domain/tus/protocol.ts";
import { ProgressReporter } from "#engine/progress.ts";
import type { UploadOptions } from "#engine/upload-types.ts";
import { TusUpload } from "../net/tus-upload.ts";
import type { Session } from "../session.ts";
import type { Terminal } from "../terminal.ts";
import { piecesOf } from "./pieces.ts";
import type { SentLink } from "./sending.ts";

interface Streaming {
  /** Of the file. */
  name: string;
  options: UploadOptions;
  session: Session;
  terminal: Terminal;
  signal: AbortSignal;
}

/**
 * Sends bytes as they come, without their size. Cancels the upload when it fails, since the bytes do not come again.
 * @throws ApiError, TypeError, Failure; the signal's reason
 */
export async function sendStream(
  stream: Readable,
  { name, options, session, terminal, signal }: Streaming,
): Promise<SentLink> {
  const { expiration, expirationChosen, guards: { password, maxDownloads } = {} } = options;
  const warn = (text: string) => {
    terminal.note(text);
  };
  const upload = await TusUpload.start(
    { v1: session.v1, online: session.line, warn, signal },
    {
      filename: name,
      ...(expirationChosen && { expires: expiration }),
      ...(password !== undefined && { password }),
      ...(maxDownloads !== undefined && { downloads: String(maxDownloads) }),
    },
  );
  terminal.note(`The link works already: ${upload.link}`);
  const progress = new ProgressReporter(Infinity, (known) => {
    terminal.progress(known);
  });
  try {
    for await (const { bytes, isLast } of piecesOf(addAbortSignal(signal, stream), TUS_REQUEST_BYTES)) {
      await upload.add(bytes, isLast, (sentBytes) => {
        progress.update(sentBytes);
      });
    }
    const { id, link, size, expiresAt, name: stored } = await upload.finish();
    return { id, link, name: stored, size, expiresAt };
  } catch (error) {
    await upload.cancel();
    throw signal.aborted ? signal.reason : error;
  } finally {
    progress.stop();
  }
}
