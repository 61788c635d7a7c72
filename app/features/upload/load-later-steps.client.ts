import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/**
 * Loads the later steps. The import is in a script of its own, so that the page's first scripts name this script and
 * not the scripts of the later steps.
 */
export const loadLaterSteps = () => importWhenOnline(() => import("./later-steps.tsx"));
