import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { KIB, MIB } from "#domain/units.ts";
import { expectSame, hash, idOf, linkOf, sha256, signUp } from "./actions.ts";
import { button, heading, labelled, link, row } from "./target.ts";
import type { Scenario } from "./world.ts";

const NAME = "Ausflug nach Zürich";
/** The sizes of the files by path: one file in parts, the others in packs, one of them empty. */
const FILES: Record<string, number> = {
  "film.bin": 24 * MIB,
  "straße 🦟.txt": 17,
  "empty.txt": 0,
  ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`photos/${n % 4}/photo-${n}.bin`, 100 * KIB + n])),
};

/** A folder travels from its sender to a receiver, who takes one file and all files. */
export const folder: Scenario = {
  name: "a folder",
  play: async (world) => {
    const sender = await world.openPerson();
    const receiver = await world.openPerson();
    const path = `${world.folder}/${NAME}`;
    for (const [file, sizeBytes] of Object.entries(FILES)) {
      await mkdir(dirname(`${path}/${file}`), { recursive: true });
      await writeFile(`${path}/${file}`, randomBytes(sizeBytes));
    }
    let address = "";

    await world.step("a folder of 43 files is sent: packs, parts and an empty file", async () => {
      await signUp(sender, world.folder);
      await sender.goto("/");
      await sender.chooseFolder(labelled("Choose a file"), path, Object.keys(FILES));
      await sender.click({ kind: "button", begins: "Send 43 files" });
      await sender.see(heading("Ready to share"));
      address = await linkOf(sender);
    });
    await world.step("the receiver sees its list, and takes one file of it", async () => {
      await receiver.goto(address);
      await receiver.see(heading(NAME));
      await receiver.see(row("straße 🦟.txt"));
      // Once this button works, the script of the list has been loaded and has drawn the list anew.
      await receiver.until("it can be used", button("Report these files"), (element) => {
        return (element as HTMLButtonElement | null)?.disabled === false;
      });
      const one = await receiver.download(link("film.bin"), 24 * MIB);
      expectSame("the SHA-256", await sha256(one.path), await sha256(`${path}/film.bin`));
    });
    await world.step("all files come as a ZIP of the announced size, each identical by SHA-256", async () => {
      const content = `${world.line.origin}/api/files/download/${idOf(address)}/content`;
      const { headers } = await fetch(content, { method: "HEAD" });
      const all = { kind: "a[href]", begins: "Download all (ZIP, " };
      const zip = await receiver.download(all, Number(headers.get("content-length")));
      expectSame("the name", zip.name, `${NAME}.zip`);
      const archive = await fromBufferPromise(await readFile(zip.path), { strictFileNames: true });
      const received = new Map<string, string>();
      for await (const entry of archive.eachEntry()) {
        received.set(entry.fileName, hash(await buffer(await archive.openReadStreamPromise(entry))));
      }
      expectSame("the number of files", received.size, Object.keys(FILES).length);
      for (const file of Object.keys(FILES)) {
        expectSame(file, received.get(`${NAME}/${file}`), await sha256(`${path}/${file}`));
      }
    });
    await world.step("the sender's dashboard shows the transfer", async () => {
      await sender.goto("/dashboard");
      await sender.see(button(`More actions for ${NAME}`));
    });
  },
};
