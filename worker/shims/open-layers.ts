/**
 * Replaces what Radix loads to place an open menu and to hold the page still behind an open dialog
 * (https://www.radix-ui.com/primitives/docs/guides/server-side-rendering); the Worker renders both closed.
 */
function refuse(): never {
  throw new Error("menus and dialogs open in a browser");
}

export const RemoveScroll = refuse;
export const arrow = refuse;
export const autoUpdate = refuse;
export const flip = refuse;
export const hide = refuse;
export const hideOthers = refuse;
export const limitShift = refuse;
export const offset = refuse;
export const shift = refuse;
export const size = refuse;
export const useFloating = refuse;
