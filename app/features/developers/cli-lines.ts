import type { CallName } from "#domain/v1/calls.ts";

const SIGN_IN = "mayfly login ADDRESS";
const SEND_FILE = "mayfly send report.pdf";
const SEND_FOLDER = "mayfly send ./photos";

const LINES: Partial<Record<CallName, string>> = {
  readMe: "mayfly whoami",
  startDevice: SIGN_IN,
  pollDevice: SIGN_IN,
  endKey: "mayfly logout",
  startUpload: `${SEND_FILE} --expires 1d`,
  cancelUpload: "mayfly rm ID",
  putManifest: `${SEND_FILE} --encrypt`,
  startTransfer: SEND_FOLDER,
  addFiles: SEND_FOLDER,
  sendObjectPart: SEND_FOLDER,
  completeTransfer: SEND_FOLDER,
  listTransfers: "mayfly ls",
  readTransfer: "mayfly info LINK",
  changeTransfer: 'mayfly edit LINK --name "Photos of the sea"',
  deleteTransfer: "mayfly rm LINK",
  mailTransfer: `${SEND_FILE} --to friend@example.com`,
  readDownloads: "mayfly info LINK",
  listRequests: "mayfly request list",
  createRequest: "mayfly request --title Photos --kinds jpg,png --expires 7d",
  changeRequest: "mayfly request close LINK",
  deleteRequest: "mayfly request rm LINK",
  listReceived: "mayfly request received",
  readLink: "mayfly get LINK --list",
  listLinkFiles: "mayfly get LINK --list",
  readLinkFile: "mayfly get LINK --file 0",
  unlockLink: "mayfly get LINK --password-stdin < password.txt",
  takeDownload: "mayfly get LINK",
};

/** @param operation its name @returns the command that makes the call; all others are steps of sending a file */
export function cliLineOf(operation: string): string {
  return (LINES as Record<string, string | undefined>)[operation] ?? SEND_FILE;
}
