import { SECOND_MS } from "#domain/units.ts";

/**
 * How long the screen is kept on after the end of the last request, so that it stays on until the next request begins.
 * When the browser releases the lock, the phone's own timer of 15 s or more starts anew.
 */
const GAP_MS = 3 * SECOND_MS;

let requests = 0;
let gap: ReturnType<typeof setTimeout> | undefined;
/** Null while the screen may go dark. */
let lock: Promise<WakeLockSentinel> | null = null;

/**
 * Makes a request and keeps the screen on until its answer, because a phone with a dark screen stops its pages. Makes
 * the request also if the browser cannot keep the screen on.
 * https://www.w3.org/TR/screen-wake-lock/
 */
export async function withScreenOn<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  if (!("wakeLock" in navigator)) return request();
  requests += 1;
  clearTimeout(gap);
  keepOn();
  // The browser releases the lock when the page is hidden, so the lock is requested again when the page is visible.
  document.addEventListener("visibilitychange", keepOn);
  try {
    return await request();
  } finally {
    requests -= 1;
    if (requests === 0) gap = setTimeout(letGo, GAP_MS);
  }
}

function keepOn(): void {
  if (lock || document.visibilityState !== "visible") return;
  const asked = navigator.wakeLock.request("screen");
  const forget = () => {
    if (lock === asked) lock = null;
  };
  lock = asked;
  asked.then((sentinel) => sentinel.addEventListener("release", forget), forget);
}

function letGo(): void {
  document.removeEventListener("visibilitychange", keepOn);
  const held = lock;
  lock = null;
  held?.then((sentinel) => sentinel.release()).catch(() => undefined);
}
