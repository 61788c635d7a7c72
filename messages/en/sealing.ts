/** Links that are encrypted end to end, for whoever sends them. */
export const sealing = {
  // Before the start
  sealIt: "End-to-end encrypted",
  sealHelp: "We cannot read names or contents. Without the whole link the files are lost, for us too.",
  sealCosts:
    "Recipients need a browser with scripts, and chats show no name. We cannot mail the link, search or scan the files, or help anybody who has lost the link.",
  passwordLength: "The password of an encrypted link needs 8 to 128 characters.",

  // The link
  keepLink: "This link is the key. Keep it: we cannot show it on another device.",
  mailBody: "{name}\n\n{url}",

  // The list of files
  unnamed: "Encrypted transfer",
  keyMissing: "Key not on this device",
  keyMissingHelp: "Only the browser that sent it, or one that has its link, can show its name.",
  noKeyForPassword: "The password can be changed only in a browser that has the key. This one does not have it.",

  // Going on with an unfinished upload
  percentOf: "{percent} % of {size}",
  pasteToGoOn: "Paste its link to go on here",
  pasteHelp: "The link is the key: we keep no copy of it. After that, choose the files again.",
  link: "Link",
  linkPassword: "Password of the link",
  open: "Open",
  opening: "Opening…",
  opened: "Link opened",
  openedHelp: "Choose the files again to go on.",
  openFailed: "The link could not be opened. Please try again.",
  otherLink: "This link leads to another transfer.",
  noKey: "The end of the link is missing. Paste the whole link.",
  charactersMissing: "{count, plural, one {# character is} other {# characters are}} missing at the end of the link.",
  newerLink: "A newer version of this page made the link. Reload the page.",
  wrongPassword: "This is not the password.",
  wrongKey: "The link does not open this transfer.",
} as const;
