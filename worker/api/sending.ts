import type { Context } from "hono";
import type { PROVEN_CALLS } from "#domain/calls/proven.ts";
import { AppError } from "#domain/errors.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { requestSize } from "#domain/parts.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { KIB } from "#domain/units.ts";
import { collectChoices, filename, sendChoices, shareFileRequest, type SendChoices } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { checkPlan } from "../callers/check-plan.ts";
import { readLifetime } from "../callers/lifetime.ts";
import { createRequestContext, type RequestContext, withoutCookies } from "../context.ts";
import { answerError } from "../middleware/answer-error.ts";
import { requirePlainBody } from "../middleware/plain-body.ts";
import { countMails, mailCountedLink } from "../notices/mail-link.ts";
import { IncomingFiles } from "../sending/incoming.ts";
import { MAX_FORM_FILES, sendTransfer, chosenOf, deletionUrlOf, sendStored, type SentUpload } from "../sending/send.ts";
import { requireMailer, requireSender, type Sender } from "../sending/sender.ts";
import type { SentBody } from "../sending/sent-body.ts";
import { checkMonth } from "../uploads/open-upload.ts";
import { readForm } from "../uploads/proxy-form.ts";
import { discardFormFile, storeFormFile, withPartMemory } from "../uploads/proxy.ts";
import { logRejections, type RequestedFile } from "../uploads/upload-log.ts";
import { contentLength, parse, requireProgram } from "./input.ts";
import type { Handlers } from "./mount.ts";
import { completedOf } from "./v1/uploads.ts";

/** Pages are refused, because any website could send its visitors' files in their names. */
const FOR_PROGRAMS = "This address is for programs. Pages send files with the calls of /api.";
/** The most bytes that a form may have besides its files: boundaries, names and fields. */
const FORM_OVERHEAD_BYTES = 16 * KIB;

/** A program's request that sends one or more files at once. */
interface SendCall {
  c: Context<AppEnv>;
  body: SentBody;
  /** Has no cookies. */
  context: RequestContext;
  sender: Sender;
  /** What the audit log says of the file if the file is rejected. */
  requested: RequestedFile;
  /** Epoch milliseconds. */
  now: number;
}

export const sendingHandlers: Omit<
  Handlers<typeof PROVEN_CALLS>,
  "POST /unsubscribe/:token" | "POST /api/stripe/webhook"
> = {
  "PUT /": ({ c }) => answer(c, sendBody),
  "PUT /:name": ({ c }) => answer(c, sendBody),
  "POST /": ({ c }) => answer(c, sendForm),
};

async function answer(c: Context<AppEnv>, send: (sending: SendCall) => Promise<SentUpload>): Promise<Response> {
  try {
    requireProgram(c, FOR_PROGRAMS);
    requirePlainBody(c);
    const now = Date.now();
    const context = createRequestContext(withoutCookies(c.req.raw), c.env);
    const sender = await requireSender(context, now);
    const requested = { filename: "", sizeBytes: contentLength(c) ?? 0, mimeType: "" };
    const sent = await logRejections(context.services, sender.caller, requested, () =>
      send({ c, body: c.get("body"), context, sender, requested, now }),
    );
    c.header("location", sent.shareUrl);
    c.header("x-url-delete", await deletionUrlOf(context.services, sent));
    if (wantsJson(c)) return c.json(v1Of(sent), 201);
    return c.text(`${sent.shareUrl}\n`, 201);
  } catch (error) {
    return refusalOf(c, error);
  }
}

async function sendBody({ c, body, context, sender, requested, now }: SendCall): Promise<SentUpload> {
  const { services } = context;
  const choices = readChoices(c);
  const name = choices.name ?? parse(filename, nameInPath(c), "name");
  const mimeType = mimeTypeOf(name, c.req.header("content-type") ?? "");
  Object.assign(requested, { filename: name, mimeType });
  await checkFirst({ c, context, sender, now }, choices, requested.sizeBytes);
  const file = { filename: name, contentType: mimeType, stream: body.pieces(), sizeBytes: contentLength(c) };
  const stored = await storeFormFile(services, sender.caller, file, services.settings.maxRequestBytes);
  requested.sizeBytes = stored.sizeBytes;
  try {
    const sent = await sendStored(services, sender.caller, stored, name, choices);
    await mail(context, sender, sent, choices, now);
    return sent;
  } catch (error) {
    await discardFormFile(services, stored);
    throw error;
  }
}

async function sendForm({ c, body, context, sender, requested, now }: SendCall): Promise<SentUpload> {
  const { services } = context;
  const least = Math.max(0, requested.sizeBytes - FORM_OVERHEAD_BYTES);
  const early = readChoices(c);
  await checkFirst({ c, context, sender, now }, early, 0, FORM_OVERHEAD_BYTES, least);
  const files = new IncomingFiles(services, sender.caller);
  try {
    // Reads the body with `ownPieces`, which overwrites no piece, because the form parser keeps a piece beyond the next
    // one.
    const fields = await withPartMemory((memory) =>
      readForm(c.req.raw.headers, body.ownPieces(), (file) => files.store(file, memory), MAX_FORM_FILES),
    );
    const choices = readChoices(c, Object.fromEntries(fields));
    if (early.to === undefined) await allowMail(context, sender, choices);
    const { stored } = files;
    const [first, second] = stored;
    if (!first) throw new AppError("BAD_REQUEST", { message: "The form has no file." });
    const name = choices.name ?? (second ? "" : nameOfOne(first.filename));
    const sizeBytes = stored.reduce((sum, file) => sum + file.sizeBytes, 0);
    Object.assign(requested, { filename: name, sizeBytes, mimeType: mimeTypeOf(name, first.contentType) });
    const sent = second
      ? await sendTransfer(services, sender.caller, stored, choices, now)
      : await sendStored(services, sender.caller, first, name, choices);
    await mail(context, sender, sent, choices, now);
    return sent;
  } finally {
    await files.discard();
  }
}

/**
 * Makes every check that needs no byte of the body.
 * @param fileBytes the size of one file
 * @param overheadBytes how many bytes the request may have besides files
 * @param allBytes how many bytes count for the month
 */
async function checkFirst(
  { c, context, sender, now }: Omit<SendCall, "requested" | "body">,
  choices: SendChoices,
  fileBytes: number,
  overheadBytes = 0,
  allBytes = fileBytes,
): Promise<void> {
  const { services } = context;
  if ((contentLength(c) ?? 0) > services.settings.maxRequestBytes + overheadBytes) throw tooLarge(context);
  await allowMail(context, sender, choices);
  checkPlan(sender.caller, readLifetime(chosenOf(choices), fileBytes, now));
  await checkMonth(services, sender.caller, allBytes, false, now);
}

/**
 * Returns a plain name as it is, and makes any other name portable, as the names of several files.
 * @throws AppError BAD_REQUEST without a name
 */
function nameOfOne(sent: string): string {
  const isPlain = sent === "" || filename.safeParse(sent).success;
  return parse(filename, isPlain ? sent : portableName(sent), "name");
}

function tooLarge({ services }: RequestContext): AppError {
  const { origin, maxRequestBytes } = services.settings;
  const message = `A request carries at most ${requestSize(maxRequestBytes)} here. Send larger files with send.sh: ${origin}/send.sh`;
  return new AppError("BODY_TOO_LARGE", { message });
}

/**
 * @throws AppError UNAUTHORIZED, KEY_SCOPE, RATE_LIMITED if the sender wants the link mailed and may not have it mailed
 */
async function allowMail(context: RequestContext, sender: Sender, { to }: SendChoices): Promise<void> {
  if (to !== undefined) await countMails(context, requireMailer(sender).id, 1);
}

async function mail(
  { services }: RequestContext,
  sender: Sender,
  { id }: SentUpload,
  { to }: SendChoices,
  now: number,
): Promise<void> {
  if (to === undefined) return;
  await mailCountedLink(services, requireMailer(sender), id, shareFileRequest.parse({ email: to }), now);
}

/** @param fields the fields of a form @throws AppError BAD_REQUEST */
function readChoices(c: Context<AppEnv>, fields: Record<string, string> = {}): SendChoices {
  return parse(
    sendChoices,
    collectChoices((name) => c.req.header(name), c.req.query(), fields),
  );
}

/** The file's name in the path, after the slash. "" for `curl -T - https://HOST/`. @throws AppError BAD_REQUEST */
function nameInPath(c: Context<AppEnv>): string {
  try {
    return decodeURIComponent(new URL(c.req.url).pathname.slice(1));
  } catch {
    throw new AppError("BAD_REQUEST", { message: "The name in the address is not UTF-8.", field: "name" });
  }
}

function refusalOf(c: Context<AppEnv>, error: unknown): Response {
  const isTooLarge = error instanceof AppError && error.code === "BODY_TOO_LARGE";
  const response = answerError(isTooLarge ? tooLarge(c.get("context")) : error, c, wantsJson(c));
  // A 401 names how to authenticate (RFC 9110, section 11.6.1).
  if (response.status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}

function wantsJson(c: Context<AppEnv>): boolean {
  return /\bapplication\/json\b/i.test(c.req.header("accept") ?? "");
}

/** Renames the fields of the answer to those of `/api/v1`. */
function v1Of(sent: SentUpload) {
  const { zipSize, entries } = sent;
  return { ...completedOf(sent), ...(zipSize !== undefined && { zipSize, entries }) };
}
