import fc from "fast-check";
import { ID_KINDS, type IdKind, type Ids } from "./id-kinds.ts";
import type { Owned } from "./owned.ts";
import type { Client } from "./worker.ts";

/** Requests are drawn before anybody owns anything: a stand-in holds an id's place, and no encoding changes it. */
type StandIn = `ID_${string}_DI`;

/** What the stand-ins stand for, by the name between ID_ and _DI. */
export type RealIds = ReadonlyMap<string, string>;

/** Ids of what is no upload: they, too, are real and in the wrong place. */
const OTHER_IDS = ["owner", "session", "message", "report", "seo", "page"] as const;
const KINDS = Object.keys(ID_KINDS) as IdKind[];

const standIn = (name: string): StandIn => `ID_${name}_DI`;

/** An upload's or a file's own id, of any kind. */
export const anyUploadId: fc.Arbitrary<string> = fc.constantFrom(...KINDS.map((kind) => standIn(`${kind}_upload`)));

/** An upload's or a file's download id, of any kind. */
export const anyDownloadId: fc.Arbitrary<string> = fc.constantFrom(...KINDS.map((kind) => standIn(`${kind}_download`)));

/** Any id that there is, whatever it is of. */
export const anyRealId: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: anyUploadId },
  { weight: 2, arbitrary: anyDownloadId },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER_IDS.map(standIn)) },
);

/** Makes one thing of each kind for that person, and tells its ids. */
export async function createRealIds(sender: Client, owned: Owned): Promise<RealIds> {
  const { owner, sessionId, messageId, reportId, seoId, pageId } = owned;
  const others = [owner.id, sessionId, messageId, reportId, seoId, pageId];
  const ids = new Map(OTHER_IDS.map((name, index) => [name as string, others[index] ?? ""]));
  for (const kind of KINDS) note(ids, kind, await ID_KINDS[kind](sender));
  return ids;
}

/** The ids of one thing, under the name `it`. */
export function idsOfIt(it: Ids): RealIds {
  const ids = new Map<string, string>();
  note(ids, "it", it);
  return ids;
}

/** The stand-ins for the thing that a sequence of requests is about. */
export const IT = { uploadId: standIn("it_upload"), downloadId: standIn("it_download") };

/** Puts real ids where stand-ins are. */
export function fillIn(text: string, ids: RealIds): string {
  return text.replace(/ID_(\w+?)_DI/g, (whole, name: string) => ids.get(name) ?? whole);
}

function note(ids: Map<string, string>, name: string, { uploadId, downloadId }: Ids): void {
  ids.set(`${name}_upload`, uploadId);
  ids.set(`${name}_download`, downloadId);
}
