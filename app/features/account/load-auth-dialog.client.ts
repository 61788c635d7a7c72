import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/**
 * The import of the dialog is in a module of its own, so that a page's first scripts name this module and not the
 * scripts of the dialog.
 */
export const loadAuthDialog = () => importWhenOnline(() => import("./auth-dialog.tsx"));
