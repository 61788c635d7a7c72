import type { TransferPorts } from "#engine/ports.ts";
import { fingerprintOf, prepareList, type ChosenItem } from "#engine/transfer/transfer-list.ts";
import { TransferUpload } from "#engine/transfer/transfer-upload.ts";
import { changed, sendTold, type SendContext, type SentLink } from "./sending.ts";

const PREFIX = "list ";

interface SendingMany extends Omit<SendContext, "ports"> {
  ports: TransferPorts;
  title: string;
  message: string;
}

/** Sends many files behind one link, or resumes the transfer. @throws Failure `changed`; and as `TransferUpload.run` */
export async function sendTransfer(
  items: readonly ChosenItem[],
  { ports, options, terminal, unfinished, fresh, title, message }: SendingMany,
): Promise<SentLink> {
  const list = prepareList(items);
  if (list.changedNames > 0) terminal.note(`Names that not every system can hold were changed: ${list.changedNames}.`);
  const kept = fresh ? null : await unfinished.read();
  // New files are added to an unfinished transfer. A sealed transfer is found only by the fingerprint of its unchanged
  // list.
  const begun = kept?.startsWith(PREFIX) && !options.sealed ? kept.slice(PREFIX.length) : null;
  const fingerprint = begun ?? (await fingerprintOf(list.entries));
  const stopped = Promise.withResolvers<never>();
  const { sent, finished } = await sendTold({ terminal, unfinished }, PREFIX + fingerprint, (events) => {
    const onEntries = () => {
      const path = findChanged(upload);
      if (path !== null) stopped.reject(changed(`"${path}"`));
    };
    const resume = begun === null ? undefined : { fingerprint: begun };
    const upload = new TransferUpload(ports, list, { ...options, title, message }, { ...events, onEntries }, resume);
    // Without this race the upload would wait for a person to decide about the changed file.
    return Promise.race([upload.run(), stopped.promise]);
  });
  return { ...sent, entries: finished.entries };
}

/** @returns the path of a file that has changed since it was found, or cannot be read; null without such a file */
function findChanged({ entries }: TransferUpload): string | null {
  if (entries.count("changed") + entries.count("unreadable") === 0) return null;
  for (let n = 0; n < entries.length; n += 1) {
    const state = entries.state(n);
    if (state === "changed" || state === "unreadable") return entries.path(n);
  }
  return null;
}
