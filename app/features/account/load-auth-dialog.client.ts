import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/** The import of the dialog is in a module of its own, so that the first scripts of a page name only this module. */
export const loadAuthDialog = () => importWhenOnline(() => import("./auth-dialog.tsx"));
