import type { Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { readByteCount, TUS_ABILITIES } from "#domain/tus.ts";
import type { CallName } from "#domain/v1/calls.ts";
import type { TUS_CALLS } from "#domain/v1/tus.ts";
import type { AppEnv } from "../../app-env.ts";
import type { Services } from "../../services.ts";
import { endTus } from "../../tus/end-tus.ts";
import type { TusFile } from "../../tus/start-tus.ts";
import { appendTus, readTus, type TusBytes, type TusState } from "../../tus/tus-upload.ts";
import type { Handlers } from "./handler.ts";
import { badHeader, lengthOf, readChecksumOf, readDeclared, requireBytes } from "./tus-headers.ts";
import { uploadOf } from "./tus-open.ts";
import { start } from "./tus-start.ts";

export const tusHandlers: Handlers<keyof typeof TUS_CALLS> = {
  describeTus: () => Promise.resolve(new Response(null, { status: 204, headers: TUS_ABILITIES })),
  createTusUpload: async (request) => {
    const { context, now } = request;
    const { file, url, sent } = await start(request);
    const state = await begin(context.services, file, sent, now);
    return new Response(null, { status: 201, headers: { location: url, ...linkOf(state), ...headersOf(state) } });
  },
  readTusUpload: async (request) => {
    const state = await readTus(request.context.services, await uploadOf(request));
    const { sizeBytes, metadata } = state;
    const headers = new Headers(headersOf(state));
    if (metadata !== "") headers.set("upload-metadata", metadata);
    if (sizeBytes === null) headers.set("upload-defer-length", "1");
    else headers.set("upload-length", String(sizeBytes));
    return new Response(null, { status: 200, headers });
  },
  appendTusUpload: async (request) => {
    const { c, context, now } = request;
    const file = await uploadOf(request);
    requireBytes(c);
    const offset = readByteCount(c.req.header("upload-offset"));
    if (offset === null) throw badHeader("Upload-Offset says where the first byte belongs, as a number of bytes.");
    const checksum = readChecksumOf(c);
    const declared = readDeclared(c);
    const sent = { offset, body: c.get("body"), checksum, length: lengthOf(c), declared };
    const state = await appendTus(context.services, file, sent, now);
    const headers = { ...headersOf(state), ...(state.expiresAt === null && linkOf(state)) };
    return new Response(null, { status: 204, headers });
  },
  endTusUpload: async (request) => {
    await endTus(request.context.services, await uploadOf(request));
    return undefined;
  },
};

/** The call that `X-HTTP-Method-Override` names, for clients that can only POST. @throws AppError BAD_REQUEST */
export function overriddenCall(c: Context<AppEnv>): CallName {
  const method = c.req.header("x-http-method-override")?.toUpperCase();
  if (method === "PATCH") return "appendTusUpload";
  if (method === "DELETE") return "endTusUpload";
  if (method === "HEAD") return "readTusUpload";
  throw badHeader("A POST to this address needs X-HTTP-Method-Override: PATCH, DELETE or HEAD.");
}

/** Stores what came with the start. What is refused of it can be sent again, at the offset in the answer. */
async function begin(services: Services, file: TusFile, sent: TusBytes | null, now: number): Promise<TusState> {
  if (sent === null) return readTus(services, file);
  try {
    return await appendTus(services, file, sent, now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return readTus(services, file).catch(() => {
      // The refusal has ended the upload.
      throw error;
    });
  }
}

function headersOf({ offset, expiresAt }: TusState): Record<string, string> {
  return {
    "upload-offset": String(offset),
    ...(expiresAt !== null && { "upload-expires": new Date(expiresAt).toUTCString() }),
  };
}

/** A sender through an upload request never gets a link. */
function linkOf({ link }: TusState): Record<string, string> {
  return link === null ? {} : { [HEADER_NAMES.link]: link };
}
