import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { pngFile } from "#test/e2e/support/sample-files.ts";
import { MIB } from "#domain/units.ts";
import { expectSame, sha256, shareOnHome, signUp } from "./actions.ts";
import { button, heading, labelled } from "./target.ts";
import type { Scenario } from "./world.ts";

const SAVED = "Saved, free the space";

/** Encrypted files travel to a receiver, whose browser decrypts them. */
export const sealed: Scenario = {
  name: "encrypted files",
  play: async (world) => {
    const sender = await world.openPerson();
    const receiver = await world.openPerson();
    const send = async (name: string, content: Uint8Array) => {
      const path = `${world.folder}/${name}`;
      await writeFile(path, content);
      await sender.goto("/");
      await sender.see(labelled("Choose a file"));
      const address = await shareOnHome(sender, path);
      if (!/#1[\w-]{43}$/.test(address)) throw new Error(`the link has no key: ${address}`);
      await receiver.goto(address);
      await receiver.see(heading(name));
      return path;
    };

    await world.step("a file is encrypted, and opened in memory; it is identical by SHA-256", async () => {
      await signUp(sender, world.folder);
      await sender.goto("/");
      await sender.click(button("Protect the link"));
      await sender.click({ kind: "[role=switch]", name: "End-to-end encrypted" });
      const path = await send("plan für Zürich.bin", randomBytes(5 * MIB));
      const received = await receiver.download(button("Download"), 5 * MIB);
      expectSame("the name", received.name, "plan für Zürich.bin");
      expectSame("the SHA-256", await sha256(received.path), await sha256(path));
    });
    await world.step("one of 40 MB is opened on the stage; it is identical by SHA-256", async () => {
      const path = await send("film.bin", randomBytes(40 * MIB));
      const received = await receiver.download(button("Download"), 40 * MIB);
      expectSame("the SHA-256", await sha256(received.path), await sha256(path));
      const isStaged = await receiver.until("it is said to be saved", { kind: "main" }, howSaved, SAVED);
      return isStaged === "staged" ? undefined : "through the service worker";
    });
    await world.step("an encrypted image is shown", async () => {
      await send("photo.png", pngFile(300, 200));
      await receiver.until("it is 300 wide", labelled("photo.png"), (element) => {
        return (element as HTMLImageElement | null)?.naturalWidth === 300;
      });
    });
  },
};

/** Runs in the page. @returns null until the file is saved */
function howSaved(main: Element | null, savedLabel: string): "staged" | "streamed" | null {
  const labels = [...(main?.querySelectorAll("button") ?? [])].map((one) => one.textContent.trim());
  if (labels.includes(savedLabel)) return "staged";
  return main?.textContent.includes("Decrypted") ? "streamed" : null;
}
