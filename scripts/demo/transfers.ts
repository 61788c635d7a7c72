import { MIB } from "#domain/units.ts";
import { queryLocally } from "../local-query.ts";
import { DAY_MS } from "#domain/units.ts";
import type { DemoPeople } from "./accounts.ts";
import { LIVE, SENT, type DemoLinks } from "./links.ts";
import { Person } from "./person.ts";
import { drawScene, SCENES, writePdf, writeSound } from "./samples.ts";
import { beginUpload, commandLineOf, type Files } from "./send.ts";

export const LINK_PASSWORD = "river bank";

const OFFER = writePdf([
  "Offer 2114",
  "River Studio for Harbour and Sons",
  "",
  "Three days of photographs, on site, in June.",
  "Prints in four sizes, framed, within two weeks.",
  "",
  "This offer is good until its link ends.",
]);

const CONTRACT = writePdf([
  "Contract, draft 3",
  "Between River Studio and Harbour and Sons.",
  "",
  "For your eyes only.",
]);

const NOTES = `# Notes of Monday

- The bridge is closed until noon, so we begin at the mill.
- Ann brings the long lens.
- Prints go to the printer on **Thursday**.
`;

const GUESTS = "name,table,arrives\nAnn Meyer,1,Friday\nTom Rivers,1,Saturday\nLena Brook,2,Saturday\n";

/** Sends missing links, in every state that a link can have. Slow at the first run, which sends all bytes. */
export async function fillTransfers({ free, professional, ultimate }: DemoPeople, links: DemoLinks): Promise<void> {
  const { origin } = professional;
  const asProfessional = await commandLineOf(professional);
  const asFree = await commandLineOf(free);
  const asUltimate = await commandLineOf(ultimate);

  await links.ensure("expired", SENT, async () => {
    const sent = await asProfessional({ "Interview, uncut.wav": writeSound(20) }, "--expires", "7d");
    await moveBack(origin, sent.id, 8);
    return sent;
  });
  await links.ensure("notes", LIVE, async () => {
    const sent = await asProfessional({ "Notes of Monday.md": NOTES }, "--expires", "60d");
    await downloadOften(sent.link, 3);
    await moveBack(origin, sent.id, 2);
    return sent;
  });
  await links.ensure("limited", LIVE, async () => {
    const sent = await asProfessional({ "Guest list.csv": GUESTS }, "--expires", "7d", "--downloads", "5");
    await takeDownload(origin, sent.link);
    await takeDownload(origin, sent.link);
    await moveBack(origin, sent.id, 3);
    return sent;
  });
  await links.ensure("used up", SENT, async () => {
    const sent = await asProfessional(
      { "Ticket, row 12.pdf": writePdf(["Ticket", "Row 12, seat 4"]) },
      "--downloads",
      "1",
    );
    await takeDownload(origin, sent.link);
    await moveBack(origin, sent.id, 2);
    return sent;
  });
  await links.ensure("locked", LIVE, () =>
    asProfessional({ "Offer 2114, signed.pdf": OFFER }, "--expires", "7d", "--password", LINK_PASSWORD),
  );
  await links.ensure("sealed", LIVE, async () => {
    const sent = await asProfessional({ "Contract, draft 3.pdf": CONTRACT }, "--expires", "30d", "--encrypt");
    await moveBack(origin, sent.id, 1);
    return sent;
  });
  await links.ensure("photographs", LIVE, async () => {
    const sent = await asProfessional(
      photographs(),
      "--name",
      "Wedding, selects",
      "--expires",
      "30d",
      "--message",
      MESSAGE,
      "--to",
      "ann@example.org",
      "--to",
      "tom@example.org",
    );
    await downloadOften(sent.link, 12);
    return sent;
  });
  await links.ensure("arriving", "status = 'uploading'", () =>
    beginUpload(professional, "Rough cut 4, graded.mov", 64 * MIB, 62),
  );
  await links.ensure("thesis", LIVE, () =>
    asFree({ "Thesis, final final.pdf": writePdf(["Thesis", "On the short life of mayflies."]) }, "--expires", "3d"),
  );
  await links.ensure("taken down", SENT, () => asFree({ "Summer hits 2026.wav": writeSound(30) }, "--expires", "3d"));
  await links.ensure("cancelled", SENT, async () => {
    const begun = await beginUpload(free, "Holiday film.mov", 24 * MIB, 34);
    await free.post("/api/direct-upload/cancel", { downloadId: new URL(begun.link).pathname.split("/").at(-1) });
    return begun;
  });
  await links.ensure("sealed folder", LIVE, () =>
    asUltimate(
      {
        "Board papers/Agenda.pdf": CONTRACT,
        "Board papers/Numbers/Quarter.csv": GUESTS,
        "Board papers/Notes.md": NOTES,
      },
      "--expires",
      "never",
      "--encrypt",
    ),
  );
  await links.ensure("forever", LIVE, () => asUltimate(photographs(), "--name", "Archive 2026", "--expires", "never"));
}

const MESSAGE = "Dear both, these are the pictures that we like best. Take the folder, or only the ones you want.";

function photographs(): Files {
  const drawn = Object.entries(SCENES).map(([name, scene]) => [`Selects/${name}`, drawScene(scene)] as const);
  return {
    ...Object.fromEntries(drawn),
    "Selects/Read me.md": NOTES,
    "Selects/Bells.wav": writeSound(4),
  };
}

/** Dates a row back, because the demo cannot send a link long ago. */
async function moveBack(origin: string, id: string, days: number): Promise<void> {
  const columns = ["created_at", "uploaded_at", "expires_at"].map((name) => `${name} = ${name} - ${days * DAY_MS}`);
  await queryLocally(`update files set ${columns.join(", ")} where id = '${id}'`, origin);
}

/** Downloads a link several times, as many strangers would. */
async function downloadOften(link: string, times: number): Promise<void> {
  const { origin, pathname } = new URL(link);
  const id = pathname.split("/").at(-1) ?? "";
  const stranger = new Person(origin);
  for (let time = 0; time < times; time += 1) {
    await (await stranger.send("GET", `/api/files/download/${id}/content`)).arrayBuffer();
  }
}

/** Takes one of the downloads of a link with a download limit. */
async function takeDownload(origin: string, link: string): Promise<void> {
  const id = new URL(link).pathname.split("/").at(-1) ?? "";
  const stranger = new Person(origin);
  await stranger.post(`/api/files/download/${id}/take`);
  await (await stranger.send("GET", `/api/files/download/${id}/content`)).arrayBuffer();
}
