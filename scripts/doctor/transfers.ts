import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { PART_CONTENT_TYPE, partRange, SINGLE_PUT_MAX_BYTES } from "#domain/parts.ts";
import { TUS_CONTENT_TYPE } from "#domain/tus.ts";
import { MIB, SECOND_MS } from "#domain/units.ts";
import { fetchDirectly } from "../../cli/net/fetch.ts";
import { V1 } from "../../cli/net/v1.ts";
import { findForeignScripts, type Site } from "./site.ts";

const PROGRAM = resolve("build/cli/mayfly.js");
/** The shortest expiry but "3m", which is too short for a slow line. The checks delete what they have sent at once. */
const EXPIRES = "6h";
/** How long an upload's connection is silent before it breaks. Bytes sent before that have arrived. */
const SILENT_MS = 5 * SECOND_MS;

const sent = z.object({ id: z.string(), link: z.url(), downloadUrl: z.url() });

async function clientOf({ origin, ask }: Site): Promise<{ v1: V1; key: string }> {
  const key = await ask("MAYFLY_KEY");
  return { v1: new V1(origin, key, fetchDirectly), key };
}

/** Sends a part as a page does: after a preflight, and with success only if a page may read the ETag. */
export async function acceptsPartsOfPages(site: Site): Promise<string[]> {
  const { v1 } = await clientOf(site);
  const { id, upload } = await v1.call("startUpload", { body: { name: "doctor.bin", size: 1, expires: EXPIRES } });
  try {
    const url = upload.urls[0]?.url ?? "";
    if (new URL(url).origin === site.origin) return [];
    const { origin } = site;
    const asked = {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type",
    };
    const preflight = await fetchDirectly(url, { method: "OPTIONS", headers: asked });
    const put = await fetchDirectly(url, {
      method: "PUT",
      headers: { ...upload.headers, origin },
      body: new Uint8Array(1),
    });
    const allows = [preflight, put].every(({ headers }) => headers.get("access-control-allow-origin") === origin);
    const shows = (put.headers.get("access-control-expose-headers") ?? "").toLowerCase().includes("etag");
    if (preflight.ok && allows && shows) return [];
    return [
      `Storage does not let pages of ${origin} send parts. Run \`npm run deploy\`, which sets the bucket's CORS rules.`,
    ];
  } finally {
    await v1.call("cancelUpload", { params: { id } });
  }
}

/** Sends three parts straight to storage. */
export async function passesParts(site: Site): Promise<string[]> {
  const { v1 } = await clientOf(site);
  const bytes = randomBytes(SINGLE_PUT_MAX_BYTES + 1);
  const { id, upload } = await v1.call("startUpload", {
    body: { name: "doctor.bin", size: bytes.length, expires: EXPIRES },
  });
  try {
    const receipts = await Promise.all(
      upload.urls.map(async ({ part, url }) => {
        const { start, end } = partRange(bytes.length, part, upload.partSize);
        const headers = { "content-type": PART_CONTENT_TYPE, ...upload.headers };
        const response = await fetchDirectly(url, { method: "PUT", headers, body: bytes.subarray(start, end) });
        const etag = response.headers.get("etag");
        if (response.ok && etag !== null) return { part, etag };
        const [, code = ""] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? [];
        throw new Error(
          `Storage answers ${response.status} ${code} to a part. Its keys or S3_ENDPOINT are wrong: ` +
            "`npm run deploy -- --renew S3_ACCESS_KEY_ID` tests them.",
        );
      }),
    );
    const done = await v1.call("completeUpload", { params: { id }, body: { receipts } });
    return [...checkLink(site, done.link), ...(await compare(done.downloadUrl, bytes))];
  } finally {
    await remove(v1, id);
  }
}

/** Sends a file in one request, fetches it in one, and fetches its second half, as `curl -T` and `curl -C -` do. */
export async function passesRequest(site: Site): Promise<string[]> {
  const { v1, key } = await clientOf(site);
  const bytes = randomBytes(2 * MIB);
  const headers = { authorization: `Bearer ${key}`, accept: "application/json", [HEADER_NAMES.expires]: EXPIRES };
  const response = await fetchDirectly(`${site.origin}/doctor.bin`, { method: "PUT", headers, body: bytes });
  const parsed = sent.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return [
      `A PUT of 2 MiB gets ${response.status} from something else than the Worker. Look at the zone's WAF and rules.`,
    ];
  }
  const { id, link, downloadUrl } = parsed.data;
  try {
    const whole = [...checkLink(site, link), ...(await compare(downloadUrl, bytes))];
    const rest = await fetchDirectly(downloadUrl, { headers: { range: `bytes=${MIB}-` } });
    const isRest = rest.status === 206 && sumOf(await bytesOf(rest)) === sumOf(bytes.subarray(MIB));
    return [
      ...whole,
      ...(isRest
        ? []
        : ["A download cannot go on in its middle: something changes Range. Remove the Cache Rules of this site."]),
    ];
  } finally {
    await remove(v1, id);
  }
}

/** Sends 2 MiB of 3 by tus, falls silent, breaks the connection, asks what has arrived, and sends the rest. */
export async function passesTus(site: Site): Promise<string[]> {
  const { v1, key } = await clientOf(site);
  const bytes = randomBytes(3 * MIB);
  const version = { "tus-resumable": "1.0.0" };
  const created = await fetchDirectly(`${site.origin}/api/v1/tus`, {
    method: "POST",
    headers: {
      ...version,
      authorization: `Bearer ${key}`,
      "upload-length": String(bytes.length),
      "upload-metadata": `filename ${btoa("doctor.bin")},expires ${btoa(EXPIRES)}`,
    },
  });
  const address = created.headers.get("location");
  if (created.status !== 201 || address === null) return [`The start of an upload with tus gets ${created.status}.`];
  const append = (offset: number, body: BodyInit, signal?: AbortSignal) =>
    fetch(address, {
      method: "PATCH",
      headers: { ...version, "upload-offset": String(offset), "content-type": TUS_CONTENT_TYPE },
      body,
      duplex: "half",
      ...(signal && { signal }),
    } as RequestInit);

  const line = new AbortController();
  const silent = new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(bytes.subarray(0, 2 * MIB))) });
  const broken = append(0, silent, line.signal).catch(() => undefined);
  await wait(SILENT_MS);
  const { headers } = await fetchDirectly(address, { method: "HEAD", headers: version });
  line.abort();
  await broken;
  const offset = Number(headers.get("upload-offset"));
  const last = await append(offset, new Uint8Array(bytes.subarray(offset)));
  const link = last.headers.get(HEADER_NAMES.link);
  if (last.status !== 204 || link === null) return [`The end of an upload with tus gets ${last.status}.`];
  const [, downloadId = ""] = /\/([\w-]{22})$/.exec(link) ?? [];
  const [, id = ""] = /\/tus\/([^/]+)\//.exec(address) ?? [];
  try {
    return [
      ...(await compare(`${site.origin}/api/files/download/${downloadId}/content`, bytes)),
      ...(offset > 0
        ? []
        : [
            "Nothing of a request arrives before its end, so an upload with tus starts anew. Add a configuration rule for " +
              "/api/v1/tus/* that sets request_body_buffering to none.",
          ]),
    ];
  } finally {
    await remove(v1, id);
  }
}

/** Sends an encrypted file with this project's command line, looks at the link's page, and fetches the file. */
export async function passesEncrypted(site: Site): Promise<string[]> {
  const { v1, key } = await clientOf(site);
  const folder = mkdtempSync(join(tmpdir(), "doctor-"));
  const env = {
    ...process.env,
    MAYFLY_URL: site.origin,
    MAYFLY_KEY: key,
    MAYFLY_PATIENCE: "10",
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
  };
  const mayfly = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [PROGRAM, ...args, "--json", "--quiet"], { cwd: folder, env })).stdout;
  try {
    const bytes = randomBytes(MIB);
    writeFileSync(join(folder, "doctor.bin"), bytes);
    const output = await mayfly("send", "doctor.bin", "--encrypt", "--expires", EXPIRES);
    const { id, link } = z.object({ id: z.string(), link: z.url() }).parse(JSON.parse(output));
    try {
      const foreign = await findForeignScripts(site, [new URL(link).pathname]);
      await mayfly("get", link, "--out", "fetched");
      const isSame = sumOf(readFileSync(join(folder, "fetched/doctor.bin"))) === sumOf(bytes);
      return [...foreign, ...(isSame ? [] : ["An encrypted link opens to other bytes."])];
    } finally {
      await remove(v1, id);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkLink({ origin }: Site, link: string): string[] {
  if (link.startsWith(`${origin}/`)) return [];
  return [
    `Links begin with ${new URL(link).origin}: set APP_ORIGIN to ${origin} in .deploy.vars, and run \`npm run deploy\`.`,
  ];
}

async function compare(downloadUrl: string, bytes: Uint8Array): Promise<string[]> {
  const response = await fetchDirectly(downloadUrl);
  if (response.ok && sumOf(await bytesOf(response)) === sumOf(bytes)) return [];
  return [
    `The download answers ${response.status} with other bytes than were sent. Look at the zone's rules for this site.`,
  ];
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Deletes a sent file, or cancels an upload that has not finished. */
async function remove(v1: V1, id: string): Promise<void> {
  await v1.call("deleteTransfer", { params: { id } }).catch(() => v1.call("cancelUpload", { params: { id } }));
}
