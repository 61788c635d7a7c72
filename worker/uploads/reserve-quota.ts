import { AppError } from "#domain/errors.ts";
import { limitFor } from "#domain/plans.ts";
import { renewMonth } from "../billing/months.ts";
import type { Services } from "../services.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import type { NewFile } from "../db/new-files.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import { findExceededLimit } from "../db/unfinished.ts";
import { releaseFile, reserveFile, type Reservation } from "../db/uploads.ts";
import {
  checkPlan,
  checkTransferPlan,
  maxUnfinished,
  plainSize,
  quotaExceeded,
  tooManyUnfinished,
} from "../callers/check-plan.ts";
import { requireKeyRoom } from "./check-key.ts";
import type { Uploader } from "../callers/uploader.ts";

type SuccessfulReservation = Exclude<Reservation, { kind: "over-limit" }>;

/**
 * Begins a new month first if the stored one has ended.
 * @param unlessMatching reserves nothing if the owner has unfinished uploads of the same file
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID, RATE_LIMITED
 */
export async function reserveQuota(
  services: Services,
  uploader: Uploader,
  file: NewFile,
  unlessMatching: boolean,
): Promise<SuccessfulReservation> {
  try {
    return await reserve(services, uploader, file, unlessMatching);
  } catch (error) {
    // After a database error the reservation may still have been committed.
    if (!(error instanceof AppError)) await releaseFile(services.db, file.id, "failed", "STORAGE_UNAVAILABLE");
    throw error;
  }
}

async function reserve(
  services: Services,
  uploader: Uploader,
  file: NewFile,
  unlessMatching: boolean,
): Promise<SuccessfulReservation> {
  const { db } = services;
  const max = maxUnfinished(services, uploader);
  const first = await reserveFile(db, file, limitFor(uploader.plan), max, uploader, unlessMatching);
  if (first.kind !== "over-limit") return first;
  const { userId } = file;
  const exceeded = userId === null ? null : await findExceededLimit(db, { ...file, userId }, max);
  if (exceeded !== null) throw tooManyUnfinished(exceeded);
  const billing = userId === null ? null : await findBilling(db, userId);
  if (!billing || billing.periodEnd.getTime() > file.createdAt) {
    throw await overLimit(services, uploader, file, billing);
  }
  await renewMonth(services, billing, file.createdAt);
  const renewed = await findBilling(db, billing.userId);
  const plan = renewed?.planType ?? uploader.plan;
  if (file.entryCount === null) {
    const { lifetime, seal } = file;
    checkPlan({ ...uploader, plan }, { ...lifetime, sizeBytes: plainSize(lifetime.sizeBytes, seal !== null) });
  }
  if (file.entryCount !== null) checkTransferPlan({ ...uploader, plan }, file.lifetime.expiration, file.entryCount);
  const renewedMax = maxUnfinished(services, { ...uploader, plan });
  const second = await reserveFile(db, file, limitFor(plan), renewedMax, uploader, unlessMatching);
  if (second.kind !== "over-limit") return second;
  throw await overLimit(services, { ...uploader, plan }, file, renewed);
}

/** @returns why a request, a key or a month has no room @throws AppError KEY_INVALID, KEY_LIMIT */
async function overLimit(
  services: Services,
  uploader: Pick<Uploader, "plan" | "apiKey" | "request">,
  file: NewFile,
  billing: BillingRow | null,
): Promise<AppError> {
  const { sizeBytes } = file.lifetime;
  if (uploader.request !== null) return requestRefusal(services, uploader.request, sizeBytes, file.createdAt);
  await requireKeyRoom(services, uploader, file.apiKeyId, sizeBytes, file.createdAt);
  return quotaExceeded(uploader.plan, sizeBytes, billing, file.entryCount !== null);
}
