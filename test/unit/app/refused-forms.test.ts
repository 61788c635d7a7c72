import { expect, it } from "vitest";
import { readRefusal } from "#app/features/download/protection/refused.server.ts";
import type { SeenProtection } from "#domain/wire.ts";
import type { DownloadView } from "#worker/page-types.ts";

const LOCKED: DownloadView = { kind: "locked", status: 200 };

function file(guards?: SeenProtection): DownloadView {
  const info = { filename: "a", size: 1, status: "ready", mimeType: "text/plain", downloadUrl: "/a" } as const;
  return { kind: "file", status: 200, list: null, info: guards ? { ...info, guards } : info };
}

const LIMITED = file({ password: false, sealed: false, maxDownloads: 3, left: 1 });

function read(view: DownloadView, query: string, language = "en") {
  const headers = { "accept-language": language };
  return readRefusal(new Request(`https://files.example.com/download/abc?${query}`, { headers }), view);
}

it.each([
  [LOCKED, "refused=LINK_PASSWORD_WRONG", "This is not the password. Ask the sender if you are unsure.", null],
  [LOCKED, "refused=LINK_LOCKED", "This link is locked again. Enter the password to go on.", null],
  [LOCKED, "refused=RATE_LIMITED&wait=90", "Too many attempts. Please wait 90 seconds and try again.", 90],
  [LOCKED, "refused=RATE_LIMITED&wait=91", "Too many attempts. Please wait 2 minutes and try again.", 91],
  [
    LIMITED,
    "refused=DOWNLOADS_BUSY&wait=61",
    "Somebody is downloading this right now. If they do not finish, it is free again in 2 minutes.",
    61,
  ],
  [
    LIMITED,
    "refused=ATTEMPTS_USED_UP",
    "Too many downloads of this link were broken off. Ask the sender to let it go on.",
    null,
  ],
  [LIMITED, "refused=DOWNLOADS_USED_UP", "This link was good for 3 downloads, and all have been made.", null],
  [
    LIMITED,
    "refused=GATE_UNAVAILABLE&wait=soon",
    "We could not check how many downloads this link has left. Please try again in a moment.",
    null,
  ],
])("tells on a page of kind $kind what %s means", (view, query, message, waitSeconds) => {
  expect(read(view, query)).toMatchObject({ message, waitSeconds });
});

it("tells it in the reader's language", () => {
  expect(read(LOCKED, "refused=LINK_PASSWORD_WRONG", "de")?.message).toBe(
    "Das ist nicht das Passwort. Frage den Absender, wenn du unsicher bist.",
  );
});

it.each([
  [LOCKED, "refused=DOWNLOADS_BUSY"],
  [LOCKED, "refused=NONSENSE"],
  [LOCKED, ""],
  [LIMITED, "refused=LINK_PASSWORD_WRONG"],
  [file(), "refused=DOWNLOADS_USED_UP"],
  [{ kind: "refused", status: 404, message: "x", isTransfer: false } as DownloadView, "refused=RATE_LIMITED"],
])("tells nothing of a code that does not belong to the page", (view, query) => {
  expect(read(view, query)).toBeNull();
});
