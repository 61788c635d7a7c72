import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/** In a script of its own, so that the page's first scripts name this one alone. */
export const loadLaterSteps = () => importWhenOnline(() => import("./later-steps.tsx"));
