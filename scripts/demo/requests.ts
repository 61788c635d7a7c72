import { crc32 } from "node:zlib";
import { HEADER_NAMES } from "#domain/header-names.ts";
import type { ListedUploadRequest, StartSendingAnswer } from "#domain/wire.ts";
import type { DemoPeople } from "./accounts.ts";
import { LIVE, type DemoLink, type DemoLinks } from "./links.ts";
import { Person } from "./person.ts";
import { drawScene, SCENES } from "./samples.ts";

const OPEN = {
  title: "Pictures of the party",
  note: "Please send everything that you have. We choose together on Sunday.",
  expiresIn: "30d",
  asksName: true,
  notify: "each",
};
const CLOSED = { title: "Offers for the printing", note: "", expiresIn: "7d", kinds: ["pdf"] };

/** Makes upload requests, one of them closed, and sends files through the open one as strangers would. */
export async function fillRequests({ professional }: DemoPeople, links: DemoLinks): Promise<void> {
  const open = await ensureRequest(professional, OPEN);
  const closed = await ensureRequest(professional, CLOSED);
  if (closed.state === "open") await professional.patch(`/api/requests/${closed.id}`, { closed: true });
  const [first, second] = Object.entries(SCENES);
  if (!first || !second) throw new Error("the demo has pictures");
  await links.ensure("received", LIVE, () => sendThrough(open, first[0], drawScene(first[1]), "Lena Brook"));
  await links.ensure("forwarded", LIVE, async () => {
    const sent = await sendThrough(open, second[0], drawScene(second[1]), "Tom Rivers");
    await professional.post(`/api/received/${sent.id}/link`);
    return sent;
  });
}

async function ensureRequest(person: Person, wanted: { title: string }): Promise<ListedUploadRequest> {
  const requests = await person.get<ListedUploadRequest[]>("/api/requests");
  return requests.find(({ title }) => title === wanted.title) ?? person.post("/api/requests", wanted);
}

/** Sends a small file as a stranger. @returns the file's row, with the request's link, because a sender gets no link */
async function sendThrough(
  { link }: ListedUploadRequest,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  senderName: string,
): Promise<DemoLink> {
  const { origin, pathname } = new URL(link);
  const sender = new Person(origin);
  const started = await sender.post<StartSendingAnswer>(
    `/api/requests/by-link/${pathname.split("/").at(-1)}/transfers`,
    {
      senderName,
      note: "All from Saturday evening.",
      totals: { entries: 1, bytes: bytes.length },
      entries: { from: 0, list: [[name, bytes.length, Date.UTC(2026, 5, 20), "image/png"]] },
      open: [{ object: 0, runs: [[0, 1]] }],
    },
  );
  const { downloadId, uploadId, uploadToken, urls } = started;
  const receipts = [];
  for (const { object, part, url } of urls) {
    const response = await fetch(new URL(url, origin), {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      body: bytes,
    });
    if (!response.ok) throw new Error(`a part answered ${response.status}: ${await response.text()}`);
    const sum = crc32(bytes).toString(16).padStart(8, "0");
    receipts.push({ object, part, etag: response.headers.get("etag") ?? "", crc32: sum });
  }
  await sender.post(`/api/transfers/${downloadId}/finish`, { receipts }, { [HEADER_NAMES.uploadToken]: uploadToken });
  return { id: uploadId, link };
}
