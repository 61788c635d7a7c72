/**
 * Delay before the first retry, doubled for each further retry. When the browser goes online, the script is fetched
 * again at once.
 */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** A network failure or a 5xx answer, after which a retry may succeed. */
export class ScriptUnavailableError extends Error {}

const fetchedPaths = new Set<string>();

/**
 * Fetches a script and its imports before importing the script: Chromium caches a failed import until the document is
 * reloaded, but not a failed fetch. The import then reads from the HTTP cache, since built scripts are immutable.
 * @param paths the script and all its imports @throws ScriptUnavailableError, or the import's own error
 */
export async function fetchThenImport<Module>(paths: readonly string[], load: () => Promise<Module>): Promise<Module> {
  await Promise.all(paths.filter((path) => !isFetched(path)).map(fetchScript));
  return load();
}

function isFetched(path: string): boolean {
  const entries = performance.getEntriesByName(new URL(path, location.href).href) as PerformanceResourceTiming[];
  return fetchedPaths.has(path) || entries.some(({ responseStatus }) => responseStatus === 200);
}

async function fetchScript(path: string): Promise<void> {
  try {
    const response = await fetch(path);
    // Browsers cache only responses that were read completely.
    await response.arrayBuffer();
    if (response.status >= 500) throw new Error(response.statusText);
    if (response.ok) fetchedPaths.add(path);
  } catch {
    throw new ScriptUnavailableError(`Failed to fetch ${path}`);
  }
}

/**
 * Retries an `import()` until its scripts can be fetched.
 * @param load a function that calls `import()`; the build makes it use `fetchThenImport` (vite-plugin.ts)
 */
export async function importWhenOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof ScriptUnavailableError)) throw error;
      await onlineEventOrDelay(delayMs);
    }
  }
}

function onlineEventOrDelay(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener("online", finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    addEventListener("online", finish);
  });
}
