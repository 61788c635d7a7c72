import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Person } from "./person.ts";
import { button, heading, labelled } from "./target.ts";

/** Fills the open dialog and sends it. */
export async function register(person: Person): Promise<void> {
  await person.fill(labelled("Email"), `person-${randomBytes(8).toString("hex")}@example.com`);
  await person.fill(labelled("Password"), "a good password");
  await person.fill(labelled("Confirm password"), "a good password");
  await person.click(button("Create account"));
}

/** Has a file go up on the home page, which is open. @returns its link */
export async function shareOnHome(person: Person, path: string): Promise<string> {
  await person.choose(labelled("Choose a file"), path);
  await person.see(heading("Ready to share"));
  return linkOf(person);
}

/** The share link that a page shows. */
export function linkOf(person: Person): Promise<string> {
  return person.until("it holds a link", labelled("Share link"), (input) => (input as HTMLInputElement | null)?.value);
}

/** The download id in a link. */
export function idOf(address: string): string {
  return address.split("/").at(-1) ?? "";
}

/** SHA-256 of a file, hex. */
export async function sha256(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

/** @throws Error when two values are not the same */
export function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
