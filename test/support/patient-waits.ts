import { vi } from "vitest";

/** As long as `expect.poll` waits (`vitest.config.ts`). Vitest has no setting for these two, and gives up after a second. */
const TIMEOUT_MS = 60_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (check, options) => waitFor(check, options ?? TIMEOUT_MS);
vi.waitUntil = (check, options) => waitUntil(check, options ?? TIMEOUT_MS);
