import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { rowOf, runSql } from "./worker.ts";

interface Manifest {
  revision: number;
  final: boolean;
  body: string;
}

/** The sessions that a sealed link with this id may have: that of a file, and that of a transfer. */
const sessionsOf = (id: string) =>
  [env.UPLOADS.get(env.UPLOADS.idFromName(id)), env.TRANSFERS.get(env.TRANSFERS.idFromName(id))] as DurableObjectStub[];

/** The encrypted list of files that the session of a sealed link has. */
export async function storedManifest(id: string): Promise<Manifest | null> {
  for (const stub of sessionsOf(id)) {
    const found = await runInDurableObject(stub, (_, { storage }) => storage.kv.get<Manifest>("manifest"));
    if (found) return found;
  }
  return null;
}

/** Puts the encrypted list where releases before decision 051 have it: in D1. */
export async function putManifestInD1(id: string): Promise<void> {
  const manifest = await storedManifest(id);
  if (!manifest) throw new Error("there is no list");
  for (const stub of sessionsOf(id)) await runInDurableObject(stub, (_, { storage }) => storage.kv.delete("manifest"));
  await runSql(
    "insert into sealed_manifests (transfer_id, revision, body) values (?, ?, ?)",
    id,
    manifest.revision,
    manifest.body,
  );
}

/** The number of lists that stand in D1. */
export async function countManifestsInD1(id: string): Promise<number> {
  return (await rowOf<{ n: number }>("select count(*) as n from sealed_manifests where transfer_id = ?", id)).n;
}
