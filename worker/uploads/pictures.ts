import { AppError } from "#domain/errors.ts";
import {
  PICTURE_FORM_MAX_BYTES,
  PICTURE_LIMITS,
  MAX_PICTURE_FORMS,
  SEALED_PICTURE_BYTES,
  type PictureKind,
} from "#domain/pictures/limits.ts";
import { readPicture } from "#domain/pictures/read-picture.ts";
import { limitFor } from "#domain/plans.ts";
import { SEALED_TYPE } from "#domain/seal/names.ts";
import {
  pictureAbout,
  pictureSeconds,
  readPictureField,
  type PictureProblem,
  type RefusedPicture,
  type StorePicturesAnswer,
} from "#domain/wire.ts";
import type { PlacedPicture } from "#durable-objects/shared/pictures.ts";
import type { Caller } from "../callers/caller.ts";
import { checkVisitorTotals, growthExceeded } from "../callers/check-plan.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import { anySessionOf, getOwnFile, toAppError, type CallerLookup } from "../callers/sessions.ts";
import { findBilling } from "../db/billing.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { takePictureObject } from "../db/pictures.ts";
import { REQUEST_WAIT_MS, withMemory } from "../memory.ts";
import type { Services } from "../services.ts";
import { pictureKey } from "../storage/keys.ts";
import { deleteObjects } from "../storage/objects.ts";
import { requireKeyRoom } from "./open-upload.ts";

/** A picture of a form, before its bytes are read. */
interface SentPicture {
  n: number;
  kind: PictureKind;
  file: File;
  seconds: string | null;
  about: string | null;
}

/** A picture that may be stored. */
interface CheckedPicture extends Omit<PlacedPicture, "offset"> {
  bytes: Uint8Array;
}

/**
 * Stores the pictures of a form in one object. A picture that breaks a rule is refused alone. The month's bytes and the
 * object's number are taken first, and the session notes the pictures last: so a deletion finds an object whose call
 * broke off.
 * @param body `length`: its Content-Length
 * @throws AppError FILE_NOT_FOUND, LENGTH_REQUIRED, BODY_TOO_LARGE, UPLOAD_CLOSED, UPLOAD_FINISHED an hour after the
 * link is ready, BAD_REQUEST for a field with another name, PICTURES_FULL, PLAN_LIMIT_EXCEEDED, KEY_LIMIT, REQUEST_FULL,
 * OVERLOADED
 */
export async function storePictures(
  services: Services,
  lookup: CallerLookup,
  downloadId: string,
  body: { length: number | null; read(): Promise<FormData> },
  now: number,
): Promise<StorePicturesAnswer> {
  const [caller, file] = await Promise.all([lookup, getOwnFile(services, lookup, downloadId)]);
  const { length, read } = body;
  if (length === null) throw new AppError("LENGTH_REQUIRED");
  if (length > PICTURE_FORM_MAX_BYTES) throw new AppError("BODY_TOO_LARGE");
  requireOpen(file);
  // The form, the bytes of its pictures, and the object that is made of them are held as a whole.
  return withMemory(3 * length, REQUEST_WAIT_MS, async () => storeForm(services, caller, file, await read(), now));
}

async function storeForm(
  services: Services,
  caller: Caller,
  file: FileRow,
  form: FormData,
  now: number,
): Promise<StorePicturesAnswer> {
  const isSealed = file.seal !== null;
  const { checked, refused } = await checkPictures(readFields(form), isSealed);
  if (checked.length === 0) return { stored: 0, refused };
  const { pictures, bytes } = joinPictures(checked);
  const object = await reserveObject(services, caller, file, bytes.byteLength, now);
  const key = pictureKey(file.id, object);
  await services.bucket.put(key, bytes);
  const session = anySessionOf(services, file);
  const answer = await session.takePictures({ fileId: file.id, isSealed, object, pictures });
  const stored = answer.ok ? answer.taken.stored : 0;
  if (stored === 0) await deleteObjects(services.bucket, [key]);
  if (!answer.ok) throw answer.code === "NO_UPLOAD" ? closedError(file) : toAppError(answer);
  return { stored, refused: [...refused, ...answer.taken.refused] };
}

/** @throws AppError UPLOAD_CLOSED */
function requireOpen(file: FileRow): void {
  if (file.status !== "uploading" && file.status !== "ready") throw closedError(file);
  if (file.adminDeleted) throw closedError(file);
}

function closedError({ status }: Pick<FileRow, "status">): AppError {
  return new AppError(status === "ready" ? "UPLOAD_FINISHED" : "UPLOAD_CLOSED");
}

/** @throws AppError BAD_REQUEST */
function readFields(form: FormData): SentPicture[] {
  const texts = new Map<string, string>();
  const files: Pick<SentPicture, "n" | "kind" | "file">[] = [];
  const names = new Set<string>();
  for (const [name, value] of form) {
    const field = readPictureField(name);
    if (!field || names.has(name)) throw wrongField(name);
    names.add(name);
    const { n, what } = field;
    const isFile = what === "tile" || what === "view";
    if (isFile && typeof value !== "string") files.push({ n, kind: what, file: value });
    else if (!isFile && typeof value === "string") texts.set(name, value);
    else throw wrongField(name);
  }
  return files.map((sent) => ({
    ...sent,
    seconds: texts.get(`${sent.n}.seconds`) ?? null,
    about: texts.get(`${sent.n}.about`) ?? null,
  }));
}

function wrongField(name: string): AppError {
  const message = "Name files {n}.tile and {n}.view, and texts {n}.seconds and {n}.about, each once; n is a number.";
  return new AppError("BAD_REQUEST", { message, field: name.slice(0, 64) });
}

async function checkPictures(
  sent: SentPicture[],
  isSealed: boolean,
): Promise<{ checked: CheckedPicture[]; refused: RefusedPicture[] }> {
  const checked: CheckedPicture[] = [];
  const refused: RefusedPicture[] = [];
  for (const picture of sent) {
    const { n, kind } = picture;
    const result = await checkPicture(picture, isSealed);
    if (typeof result === "string") refused.push({ n, kind, reason: result });
    else checked.push({ n, kind, ...result });
  }
  return { checked, refused };
}

async function checkPicture(
  { kind, file, seconds: sentSeconds, about: sentAbout }: SentPicture,
  isSealed: boolean,
): Promise<Omit<CheckedPicture, "n" | "kind"> | PictureProblem> {
  const limits = PICTURE_LIMITS[kind];
  if (file.size === 0 || file.size > limits.bytes + (isSealed ? SEALED_PICTURE_BYTES : 0)) return "bytes";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const facts = { bytes, length: bytes.byteLength, width: null, height: null, seconds: null, about: null };
  if (isSealed) {
    if (bytes.byteLength <= SEALED_PICTURE_BYTES) return "bytes";
    if (kind === "view") return { ...facts, type: SEALED_TYPE };
    if (sentSeconds !== null) return "seconds";
    const about = pictureAbout.safeParse(sentAbout);
    return about.success ? { ...facts, type: SEALED_TYPE, about: about.data } : "about";
  }
  const picture = readPicture(bytes);
  if (!picture) return "type";
  if (Math.max(picture.width, picture.height) > limits.side) return "dimensions";
  if (kind === "view") return { ...facts, ...picture };
  if (sentAbout !== null) return "about";
  const seconds = sentSeconds === null ? null : pictureSeconds.safeParse(sentSeconds);
  if (seconds && !seconds.success) return "seconds";
  return { ...facts, ...picture, seconds: seconds?.data ?? null };
}

/** Puts pictures one after the other into the bytes of an object. */
function joinPictures(checked: CheckedPicture[]): { pictures: PlacedPicture[]; bytes: Uint8Array } {
  const bytes = new Uint8Array(checked.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  const pictures = checked.map(({ bytes: own, ...picture }): PlacedPicture => {
    bytes.set(own, offset);
    offset += own.byteLength;
    return { ...picture, offset: offset - own.byteLength };
  });
  return { pictures, bytes };
}

/** @throws AppError as `storePictures` */
async function reserveObject(
  services: Services,
  caller: Caller,
  file: FileRow,
  bytes: number,
  now: number,
): Promise<number> {
  checkVisitorTotals(caller, file.size + file.pictureBytes + bytes);
  const object = await takePictureObject(services.db, file.id, bytes, limitFor(caller.plan), now);
  if (object !== null) return object;
  const current = await findFileById(services.db, file.id);
  if (!current || (current.status !== "uploading" && current.status !== "ready")) throw new AppError("UPLOAD_CLOSED");
  if (current.pictureObjects >= MAX_PICTURE_FORMS) throw new AppError("PICTURES_FULL");
  if (caller.kind === "sender" && current.status === "uploading") {
    throw await requestRefusal(services, caller.request, bytes, now);
  }
  await requireKeyRoom(services, caller, file.apiKeyId, bytes, now);
  const billing = caller.kind === "visitor" ? null : await findBilling(services.db, caller.userId);
  const hasRoom = billing === null || billing.bytes + bytes <= limitFor(caller.plan).monthBytes;
  const isSameMonth = billing?.periodStart.getTime() === file.reservedPeriodStart.getTime();
  if (billing === null || (current.status === "ready" && hasRoom && isSameMonth)) throw closedError(current);
  const hasBegunSinceStart = !isSameMonth || billing.periodEnd.getTime() <= now;
  throw growthExceeded(caller.plan, bytes, { bytes: billing.bytes, hasBegunSinceStart });
}
