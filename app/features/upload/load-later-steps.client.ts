import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/** Loads the later steps. This script is separate, so that the page's first scripts name no other script of theirs. */
export const loadLaterSteps = () => importWhenOnline(() => import("./later-steps.tsx"));
