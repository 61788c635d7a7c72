import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Person } from "./person.ts";
import { button, heading, labelled } from "./target.ts";

export async function register(person: Person): Promise<void> {
  await person.fill(labelled("Email"), `person-${randomBytes(8).toString("hex")}@example.com`);
  await person.fill(labelled("Password"), "a good password");
  await person.fill(labelled("Confirm password"), "a good password");
  await person.click(button("Create account"));
}

/** Signs a person up while the person's first file is sent. */
export async function signUp(person: Person, folder: string): Promise<void> {
  const path = `${folder}/first.txt`;
  await writeFile(path, "first\n");
  await person.goto("/");
  await person.choose(labelled("Choose a file"), path);
  await register(person);
  await linkOf(person);
}

/** Uploads a file on the open home page. @returns its link */
export async function shareOnHome(person: Person, path: string): Promise<string> {
  await person.choose(labelled("Choose a file"), path);
  await person.see(heading("Ready to share"));
  return linkOf(person);
}

export function linkOf(person: Person): Promise<string> {
  return person.until("it holds a link", labelled("Share link"), (input) => (input as HTMLInputElement | null)?.value);
}

export function idOf(address: string): string {
  return address.split("/").at(-1) ?? "";
}

/** @returns SHA-256 in hexadecimal */
export function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** @param path of a file */
export async function sha256(path: string): Promise<string> {
  return hash(await readFile(path));
}

export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
