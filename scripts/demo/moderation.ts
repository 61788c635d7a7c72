import { queryLocally } from "../local-query.ts";
import type { DemoPeople } from "./accounts.ts";
import type { DemoLinks } from "./links.ts";
import { Person } from "./person.ts";

const LETTERS = [
  {
    name: "Ann Meyer",
    email: "ann@example.org",
    subject: "A plan for our studio",
    message: "We are six people and send about forty transfers a week. Is there a plan for teams?",
  },
  {
    name: "Tom Rivers",
    email: "tom@example.org",
    subject: "Thank you",
    message: "My train lost its connection eleven times, and the film still arrived. That was a first.",
  },
];

/** Fills in strangers' reports, the decisions about the reports, and letters. Nothing is sent twice. */
export async function fillModeration({ administrator }: DemoPeople, links: DemoLinks): Promise<void> {
  const { origin } = administrator;
  const stranger = new Person(origin);
  const [{ reports = 0 } = {}] = await queryLocally("select count(*) as reports from file_reports", origin);
  if (reports === 0) {
    const takenDown = await report(
      stranger,
      links,
      "taken down",
      "copyright",
      "This is our recording. We have not licensed it.",
    );
    const dismissed = await report(stranger, links, "notes", "other", "I do not know who sent me this.");
    await report(stranger, links, "photographs", "privacy", "I am in picture 4, and nobody has asked me.", 3);
    await report(stranger, links, "thesis", "other", "Is this the right version?");
    await settle(administrator, takenDown, "taken-down", "The owner of the recording has shown their rights.");
    await settle(administrator, dismissed, "dismissed", "Harmless notes.");
  }
  const [{ letters = 0 } = {}] = await queryLocally("select count(*) as letters from contact_submissions", origin);
  if (letters === 0) for (const letter of LETTERS) await stranger.post("/api/contact", letter);
}

/** @returns the id of the reported row */
async function report(
  stranger: Person,
  links: DemoLinks,
  name: string,
  reason: string,
  message: string,
  entry?: number,
): Promise<string> {
  const { id, link } = links.get(name);
  const downloadId = new URL(link).pathname.split("/").at(-1) ?? "";
  const body = { reason, message, email: "reader@example.org", ...(entry !== undefined && { entry }) };
  await stranger.post(`/api/files/download/${downloadId}/report`, body);
  return id;
}

async function settle(administrator: Person, fileId: string, outcome: string, note: string): Promise<void> {
  const rows = await queryLocally(`select id from file_reports where file_id = '${fileId}'`, administrator.origin);
  for (const { id } of rows) await administrator.put(`/api/admin/reports/${id}`, { outcome, note });
}
