/** A failed fetch is tried again when the browser says that it is online, and after so long, twice as long each time. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Nothing answered, or something that is out of order: it may be otherwise in a moment. */
export class OfflineError extends Error {}

/** What this document has fetched by itself. */
const fetched = new Set<string>();

/**
 * Imports a script once all that it consists of has been fetched: Chromium remembers an import that failed for as long as
 * the document lives, and no fetch. What is built may be kept for ever, so the import finds it in the browser's cache.
 * @param paths the script's own and those of the scripts that it imports
 * @throws OfflineError when nothing answers; whatever the import throws
 */
export async function fetchThenImport<Module>(paths: readonly string[], load: () => Promise<Module>): Promise<Module> {
  await Promise.all(paths.filter((path) => !isHere(path)).map(fetchScript));
  return load();
}

function isHere(path: string): boolean {
  const entries = performance.getEntriesByName(new URL(path, location.href).href) as PerformanceResourceTiming[];
  return fetched.has(path) || entries.some(({ responseStatus }) => responseStatus === 200);
}

async function fetchScript(path: string): Promise<void> {
  try {
    const response = await fetch(path);
    // Only what has been read to its end is kept.
    await response.arrayBuffer();
    if (response.status >= 500) throw new Error(response.statusText);
    if (response.ok) fetched.add(path);
  } catch {
    throw new OfflineError(`Nothing answers at ${path}.`);
  }
}

/**
 * Fetches what a page needs later than at first, however long the line is gone: what somebody has asked for appears when
 * it is back.
 * @param load an `import()`, which the build has fetch first (vite.config.ts)
 * @throws whatever it throws, unless nothing answered
 */
export async function importWhenOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
      await onlineOrAfter(waitMs);
    }
  }
}

function onlineOrAfter(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      removeEventListener("online", goOn);
      resolve();
    };
    const timer = setTimeout(goOn, waitMs);
    addEventListener("online", goOn);
  });
}
