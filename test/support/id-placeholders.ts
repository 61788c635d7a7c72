import fc from "fast-check";
import { ID_CASES, type IdCase, type Ids } from "./id-cases.ts";
import type { AccountFixture } from "./account-fixture.ts";
import type { Client } from "./worker.ts";

/** Stands for an id in generated requests until the id exists. URL and JSON encoding leave it unchanged. */
type Placeholder = `ID_${string}_DI`;

/** By the name between ID_ and _DI. */
export type IdValues = ReadonlyMap<string, string>;

const OTHER_IDS = ["owner", "session", "message", "report", "seo", "page"] as const;
const KINDS = Object.keys(ID_CASES) as IdCase[];

const placeholder = (name: string): Placeholder => `ID_${name}_DI`;

export const anyUploadId: fc.Arbitrary<string> = fc.constantFrom(...KINDS.map((kind) => placeholder(`${kind}_upload`)));

export const anyDownloadId: fc.Arbitrary<string> = fc.constantFrom(
  ...KINDS.map((kind) => placeholder(`${kind}_download`)),
);

export const anyId: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: anyUploadId },
  { weight: 2, arbitrary: anyDownloadId },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER_IDS.map(placeholder)) },
);

/** Creates one upload or file of each case. */
export async function createIdValues(sender: Client, fixture: AccountFixture): Promise<IdValues> {
  const { owner, sessionId, messageId, reportId, caseId, seoId, pageId } = fixture;
  const others = [owner.id, sessionId, messageId, reportId, caseId, seoId, pageId];
  const ids = new Map(OTHER_IDS.map((name, index) => [name as string, others[index] ?? ""]));
  for (const kind of KINDS) addIds(ids, kind, await ID_CASES[kind](sender));
  return ids;
}

export function sequenceIds(it: Ids): IdValues {
  const ids = new Map<string, string>();
  addIds(ids, "it", it);
  return ids;
}

/** Placeholders for the upload that a sequence of requests is about. */
export const SEQUENCE_IDS = { uploadId: placeholder("it_upload"), downloadId: placeholder("it_download") };

export function replacePlaceholders(text: string, ids: IdValues): string {
  return text.replace(/ID_(\w+?)_DI/g, (match, name: string) => ids.get(name) ?? match);
}

function addIds(ids: Map<string, string>, name: string, { uploadId, downloadId }: Ids): void {
  ids.set(`${name}_upload`, uploadId);
  ids.set(`${name}_download`, downloadId);
}
