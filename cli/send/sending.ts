import type { DirectPorts, TransferPorts } from "#engine/ports.ts";
import type { FinishedUpload, TransferEvents, UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { EXIT, Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { Unfinished } from "./unfinished.ts";

/** The result of a finished upload on standard output. */
export interface SentLink {
  id: string;
  link: string;
  name: string;
  size: number;
  expiresAt: string | null;
  entries?: number;
}

/** The arguments that uploads of one file and of many files share. */
export interface SendContext {
  ports: DirectPorts & TransferPorts;
  options: UploadOptions;
  terminal: Terminal;
  /** The record of an unfinished upload of the same paths. */
  unfinished: Unfinished;
  /** Whether an unfinished upload is sent anew instead of resumed. */
  fresh: boolean;
}

/**
 * Runs an upload that tells the person about its progress, and remembers the upload key until everything has arrived.
 * @param uploadKey identifies the files @param run makes the upload @throws as `run`
 */
export async function sendTold<Finished extends FinishedUpload>(
  { terminal, unfinished }: Pick<SendContext, "terminal" | "unfinished">,
  uploadKey: string,
  run: (events: ToldEvents) => Promise<Finished>,
): Promise<{ sent: SentLink; finished: Finished }> {
  let keeping: Promise<void> = Promise.resolve();
  const finished = await run({
    onStarted: ({ shareUrl }) => {
      // A sender into a request gets no link.
      if (shareUrl !== "") terminal.note(`The link works already: ${shareUrl}`);
      keeping = unfinished.keep(uploadKey);
    },
    onProgress: (progress) => terminal.progress(progress),
    onTransport: (transport) =>
      terminal.note(transport === "proxy" ? "Sending through the server." : "Sending straight to storage again."),
    onFinishing: () => undefined,
  });
  await keeping;
  await unfinished.forget();
  const { id, shareUrl: link, filename: name, size, expiresAt } = finished;
  return { sent: { id, link, name, size, expiresAt }, finished };
}

type ToldEvents = Pick<UploadEvents & TransferEvents, "onStarted" | "onProgress" | "onTransport" | "onFinishing">;

/** @param what the name of the changed file, as the person knows it */
export function changed(what: string): Failure {
  return new Failure(EXIT.changed, `${what} changed since its upload began. --fresh sends everything anew.`);
}
