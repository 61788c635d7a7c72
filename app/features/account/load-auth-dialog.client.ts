import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/** In a script of its own, so that every page's first scripts name this one alone. */
export const loadAuthDialog = () => importWhenOnline(() => import("./auth-dialog.tsx"));
