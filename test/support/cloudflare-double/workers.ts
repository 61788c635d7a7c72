import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { fromBase64 } from "#domain/bytes-as-text.ts";
import { found, newWorker, Refusal, type Account, type Binding, type Worker, type WorkerMetadata } from "./account.ts";
import type { Call, Handler } from "./handler.ts";
import { findQueue } from "./queues.ts";

const SHAPES = {
  secrets: z.strictObject({
    secrets: z.record(
      z.string(),
      z.strictObject({ name: z.string(), text: z.string().check(z.minLength(1)), type: z.literal("secret_text") }),
    ),
  }),
  subdomain: z.strictObject({ enabled: z.boolean(), previews_enabled: z.boolean() }),
  crons: z.array(z.strictObject({ cron: z.string() })),
  domains: z.array(z.object({ hostname: z.string() })),
  records: z.strictObject({
    override_scope: z.boolean(),
    override_existing_origin: z.boolean(),
    override_existing_dns_record: z.boolean(),
    origins: z.array(z.object({ hostname: z.string() })),
  }),
  manifest: z.strictObject({
    manifest: z.record(z.string(), z.strictObject({ hash: z.string(), size: z.int() })),
  }),
  deployment: z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.literal(100) })) }),
};

/** The calls of Workers, below `/accounts/:account`. */
export const WORKERS: Record<string, Handler> = {
  "GET /workers/subdomain": () => ({ subdomain: "somebody" }),
  "GET /workers/services/:id": ({ account, id }) => {
    const worker = found(account.workers.get(id), 10090, "workers.api.error.service_not_found");
    const script = { id, tag: id, migration_tag: worker.migrationTag ?? undefined, last_deployed_from: "wrangler" };
    return { default_environment: { environment: "production", script } };
  },
  "GET /workers/workers/:id": ({ account, id }) => ({
    subdomain: { enabled: workerOf(account, id).workersDev, previews_enabled: false },
  }),
  "GET /workers/scripts/:id/secrets": ({ account, id }) =>
    [...workerOf(account, id).secrets.keys()].map((name) => ({ name, type: "secret_text" })),
  "PATCH /workers/scripts/:id/secrets-bulk": ({ account, id, json }) => {
    const { secrets } = workerOf(account, id);
    for (const { name, text } of Object.values(json(SHAPES.secrets).secrets)) secrets.set(name, text);
    return {};
  },
  "GET /workers/scripts/:id/settings": ({ account, id }) => {
    const worker = workerOf(account, id);
    return { bindings: worker.deployed.at(-1)?.bindings ?? [], ...settings() };
  },
  "GET /workers/scripts/:id/script-settings": () => settings(),
  "PATCH /workers/scripts/:id/script-settings": () => settings(),
  "PUT /workers/scripts/:id": async (call) => {
    const metadata = await metadataOf(call);
    const worker = call.account.workers.get(call.id) ?? newWorker();
    call.account.workers.set(call.id, worker);
    if (metadata.bindings.length > 0) deploy(call.account, worker, metadata);
    return uploaded();
  },
  "POST /workers/scripts/:id/versions": async (call) => {
    const metadata = await metadataOf(call);
    if (metadata.migrations) throw new Refusal(400, 10211, "A version takes no Durable Object migrations.", true);
    deploy(call.account, workerOf(call.account, call.id), metadata);
    return uploaded();
  },
  "GET /workers/scripts/:id/deployments": ({ account, id }) => {
    workerOf(account, id);
    return { deployments: [{ id: randomUUID(), source: "wrangler", versions: [] }] };
  },
  "POST /workers/scripts/:id/deployments": ({ account, id, json }) => {
    workerOf(account, id);
    json(SHAPES.deployment);
    return { id: randomUUID() };
  },
  "POST /workers/scripts/:id/subdomain": ({ account, id, json }) => {
    const { enabled, previews_enabled } = json(SHAPES.subdomain);
    workerOf(account, id).workersDev = enabled;
    return { enabled, previews_enabled };
  },
  "PUT /workers/scripts/:id/schedules": ({ account, id, json }) => {
    workerOf(account, id).crons = json(SHAPES.crons).map(({ cron }) => cron);
    return {};
  },
  "POST /workers/scripts/:id/domains/changeset": ({ account, id, json }) => {
    const known = workerOf(account, id).domains;
    const added = json(SHAPES.domains).filter(({ hostname }) => !known.includes(hostname));
    return { added, removed: [], updated: [], conflicting: [] };
  },
  "PUT /workers/scripts/:id/domains/records": ({ account, id, json }) => {
    workerOf(account, id).domains = json(SHAPES.records).origins.map(({ hostname }) => hostname);
    return {};
  },
  "POST /workers/scripts/:id/assets-upload-session": ({ account, json }) => {
    const { manifest } = json(SHAPES.manifest);
    account.manifest = Object.fromEntries(Object.entries(manifest).map(([path, { hash }]) => [path, hash]));
    const missing = [...new Set(Object.values(account.manifest))].filter((hash) => !account.assets.has(hash));
    return { buckets: missing.length > 0 ? [missing] : [], jwt: "assets-session" };
  },
  "POST /workers/assets/upload": async ({ account, form }) => {
    for (const [hash, file] of await form()) {
      account.assets.set(hash, fromBase64(file instanceof Blob ? await file.text() : file));
    }
    return { jwt: "assets-uploaded" };
  },
};

function workerOf(account: Account, name: string): Worker {
  return found(account.workers.get(name), 10007, "This Worker does not exist on your account.");
}

/** The metadata of an uploaded Worker. @throws Refusal with a fault without its main module */
async function metadataOf({ form }: Call): Promise<WorkerMetadata> {
  const parts = await form();
  const metadata = JSON.parse(await asText(parts.get("metadata"))) as WorkerMetadata;
  if (!metadata.main_module || !parts.has(metadata.main_module)) {
    throw new Refusal(400, 10021, "The main module is not among the parts.", true);
  }
  return metadata;
}

function asText(part: FormDataEntryValue | null): Promise<string> {
  return part instanceof Blob ? part.text() : Promise.resolve(part ?? "{}");
}

/** @throws Refusal with a fault if a binding's resource, a migration or the assets are missing */
function deploy(account: Account, worker: Worker, metadata: WorkerMetadata): void {
  for (const binding of metadata.bindings) checkBinding(account, binding);
  const secrets = metadata.bindings.filter(({ type }) => type === "secret_text");
  const isFirst = worker.migrationTag === null;
  if (isFirst !== (metadata.migrations !== undefined) || metadata.migrations?.old_tag !== undefined) {
    throw new Refusal(412, 10079, "The migrations are not those that this Worker needs.", true);
  }
  if (!metadata.assets?.jwt) throw new Refusal(400, 10021, "There are no assets.", true);
  // As at Cloudflare, a deployment without this deletes the secrets.
  if (!metadata.keep_bindings?.includes("secret_text")) worker.secrets.clear();
  for (const { name, text } of secrets) worker.secrets.set(name, String(text));
  worker.migrationTag = metadata.migrations?.new_tag ?? worker.migrationTag;
  worker.deployed.push(metadata);
  worker.files = account.manifest;
}

function checkBinding(account: Account, { type, name, ...fields }: Binding): void {
  const isThere: Record<string, () => boolean> = {
    d1: () => account.databases.has(String(fields.id)),
    r2_bucket: () => account.buckets.has(String(fields.bucket_name)),
    queue: () => findQueue(account, String(fields.queue_name)) !== undefined,
  };
  if (isThere[type]?.() === false)
    throw new Refusal(400, 10181, `The binding ${name} of type ${type} names what is not there.`, true);
}

function uploaded() {
  return {
    id: randomUUID(),
    deployment_id: randomUUID(),
    etag: "etag",
    startup_time_ms: 10,
    resources: { script: { etag: "etag" } },
  };
}

function settings() {
  return { tags: [], logpush: false, tail_consumers: [], observability: { enabled: true } };
}
