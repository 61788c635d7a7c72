import { DirectUpload } from "#engine/direct-upload.ts";
import { changed, type Sending, type SentLink } from "./sending.ts";

/** Sends a single file, or goes on with it. @throws Failure `changed`; and as `DirectUpload.run` */
export async function sendFile(
  file: File,
  { ports, options, terminal, unfinished, fresh }: Sending,
): Promise<SentLink> {
  const mark = `file ${file.size} ${file.lastModified}`;
  const kept = fresh ? null : await unfinished.read();
  if (kept?.startsWith("file ") && kept !== mark) throw changed(`"${file.name}"`);
  let keeping: Promise<void> = Promise.resolve();
  const upload = new DirectUpload(ports, file, options, {
    onStarted: ({ shareUrl }) => {
      terminal.note(`The link works already: ${shareUrl}`);
      keeping = unfinished.keep(mark);
    },
    onProgress: (progress) => {
      terminal.progress(progress);
    },
    onTransport: (transport) => {
      terminal.note(transport === "proxy" ? "Sending through the server." : "Sending straight to storage again.");
    },
    onParts: () => undefined,
    onChunk: () => undefined,
    onFinishing: () => undefined,
  });
  const { id, shareUrl: link, filename: name, size, expiresAt } = await upload.run();
  await keeping;
  await unfinished.forget();
  return { id, link, name, size, expiresAt };
}
