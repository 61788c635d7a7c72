import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { planParts } from "#domain/parts.ts";
import { MIB, MINUTE_MS } from "#domain/units.ts";
import { expectSame, idOf, linkOf, register, sha256, shareOnHome } from "./actions.ts";
import type { Line, Seen } from "./line.ts";
import { TIMEOUT_MS, type Person } from "./person.ts";
import { heading, labelled, link, text } from "./target.ts";
import type { Scenario } from "./world.ts";

const NAME = "holiday in Zürich 🦟.bin";
const SIZE_BYTES = 40 * MIB;
const { partCount } = planParts(SIZE_BYTES);

/** The messages of engines about broken or rejected connections. */
export const LOST =
  /WebSocket|ws:\/\/|ERR_|NetworkError|[Cc]onnection (was lost|reset|terminated)|connect to (the )?server|Cross-Origin/;

/** A file travels over a line that breaks, from its sender to a receiver, until it expires. */
export const happyPath: Scenario = {
  name: "main flow",
  play: async (world) => {
    const { line } = world;
    const path = `${world.folder}/${NAME}`;
    await writeFile(path, randomBytes(SIZE_BYTES));
    const sender = await world.openPerson();
    const receiver = await world.openPerson();
    let address = "";
    let firstPercent = 0;

    await world.step("a visitor chooses a file of 40 MB and registers: the upload starts, in parts", async () => {
      line.hold(allBut(2));
      await sender.goto("/");
      await sender.choose(labelled("Choose a file"), path);
      await register(sender);
      address = await linkOf(sender);
      await acknowledged(line, 2);
    });
    await world.step("the receiver opens the link and sees the progress", async () => {
      await receiver.goto(address);
      await receiver.see(heading(NAME));
      await receiver.see(text("On its way"));
      firstPercent = await percentAbove(receiver, 100 * (2 / partCount) - 1);
    });
    await world.step(
      "the line breaks during parts, and the upload continues by itself",
      async () => {
        line.cut();
        await line.until("somebody tries again", () => line.rejected > 0, TIMEOUT_MS);
        line.hold(allBut(1));
        line.mend();
        await acknowledged(line, 3);
        const percent = await percentAbove(receiver, 100 * (3 / partCount) - 1);
        if (percent === firstPercent) throw new Error("the receiver's page has not moved");
      },
      LOST,
    );
    await world.step(
      "the sender reloads the page and chooses the file again: only the missing parts are sent",
      async () => {
        const before = acknowledgedParts(line);
        await sender.reloadAtOnce();
        line.hold(() => false);
        const begin = line.seen.length;
        await sender.choose(labelled("Choose a file"), path);
        await sender.see(heading("Ready to share"));
        const sent = line.seen.slice(begin).flatMap((seen) => partOf(seen) ?? []);
        const missing = Array.from({ length: partCount }, (_, index) => index + 1).filter((part) => !before.has(part));
        expectSame("the parts that were sent", [...new Set(sent)].sort(), missing);
        expectSame("the link", await linkOf(sender), address);
      },
      LOST,
    );
    await world.step("the receiver's page turns into the download; the file is identical by SHA-256", async () => {
      const { path: received, name } = await receiver.download(link("Download"), SIZE_BYTES);
      expectSame("the name", name, NAME);
      expectSame("the SHA-256", await sha256(received), await sha256(path));
      await receiver.see(link("Download Again"));
      await receiver.click({ kind: "summary", name: "Check your download" });
      await receiver.choose(labelled("Choose the downloaded file"), received);
      await receiver.see(text("Your download is identical to the file that was sent."));
    });
    await world.step(
      "a file with an expiry of three minutes expires",
      async () => {
        const short = `${world.folder}/short-lived.txt`;
        await writeFile(short, "soon gone\n");
        await sender.goto("/");
        await sender.select(labelled("Link expires after"), "3m");
        const shortAddress = await shareOnHome(sender, short);
        await receiver.goto(shortAddress);
        await receiver.see(heading("short-lived.txt"));
        const id = idOf(shortAddress);
        await world.query(`update files set expires_at = expires_at - ${3 * MINUTE_MS} where download_id = '${id}'`);
        await receiver.reload();
        await receiver.see(heading("File Has Expired"));
        const { status } = await fetch(`${line.origin}/api/files/download/${id}/content`);
        expectSame("the answer to a download", status, 410);
      },
      /410/,
    );
  },
};

/** Waits for progress above `percent`. @returns the shown percentage */
function percentAbove(person: Person, percent: number): Promise<number> {
  const look = (element: Element | null, minPercent: number) => {
    const shown = Number(element?.getAttribute("aria-valuenow"));
    return shown > minPercent ? shown : null;
  };
  return person.until(`it is above ${percent}`, { kind: "[role=progressbar]" }, look, percent);
}

/** The part number of a request, if any. */
function partOf({ method, path }: Seen): number | null {
  const part = new URLSearchParams(path.split("?")[1]).get("partNumber");
  return method === "PUT" && part !== null ? Number(part) : null;
}

/** Holds all parts except the first `count`. */
function allBut(count: number): (seen: Seen) => boolean {
  const through = new Set<number>();
  return (seen) => {
    const part = partOf(seen);
    if (part === null) return false;
    if (through.size < count) through.add(part);
    return !through.has(part);
  };
}

/** The numbers of the parts that the server has acknowledged to the sender. */
function acknowledgedParts({ frames }: Line): Set<number> {
  const lists = [...frames.matchAll(/"type":"received","parts":\[([\d,]*)\]/g)];
  return new Set(lists.flatMap(([, list = ""]) => list.split(",").filter(Boolean).map(Number)));
}

function acknowledged(line: Line, count: number): Promise<void> {
  return line.until(`${count} parts`, () => acknowledgedParts(line).size >= count, TIMEOUT_MS);
}
