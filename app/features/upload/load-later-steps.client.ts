import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/**
 * Loads the later steps. The imports are in a script of their own, so that the page's first scripts name this script
 * and not the scripts of the later steps.
 */
export const loadLaterSteps = () => importWhenOnline(() => import("./later-steps.tsx"));
export const loadWriteText = () => importWhenOnline(() => import("./text/write-text.tsx"));
