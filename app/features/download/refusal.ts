import { useCallback, useSyncExternalStore } from "react";
import { ApiError } from "#app/lib/api.ts";
import { everySecond } from "#app/lib/clock.ts";
import { SECOND_MS } from "#domain/units.ts";

/** Why the server did not unlock a link, or gave no download. */
export interface Refusal {
  code: string;
  /** In the reader's language. */
  message: string;
  /** The wait before another try in seconds; null if none is needed. */
  waitSeconds: number | null;
}

/** Why a call has failed. @param fallback the message if there was no answer, or an answer without a message */
export function refusalOf(error: unknown, fallback: string): Refusal {
  const { code, message, retryAfterSeconds } = error instanceof ApiError ? error.body : {};
  return {
    code: typeof code === "string" ? code : "",
    message: typeof message === "string" ? message : fallback,
    waitSeconds: typeof retryAfterSeconds === "number" ? retryAfterSeconds : null,
  };
}

/** @returns when another try makes sense, in epoch milliseconds of this browser's clock; null: at once */
export function retryAtOf({ waitSeconds }: Refusal): number | null {
  return waitSeconds === null ? null : Date.now() + waitSeconds * SECOND_MS;
}

/** @param moment epoch milliseconds of this browser's clock @returns false for null, and before hydration */
export function useIsBefore(moment: number | null): boolean {
  const isBefore = useCallback(() => moment !== null && Date.now() < moment, [moment]);
  return useSyncExternalStore(everySecond, isBefore, () => false);
}

/** Whether a call failed because the link is locked (401), was cancelled (404), or is gone (410). */
export function changesPage(error: unknown): boolean {
  return error instanceof ApiError && [401, 404, 410].includes(error.status);
}
