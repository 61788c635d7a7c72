import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Page } from "playwright-core";
import { MIB } from "#domain/units.ts";
import { DEMO_ACCOUNTS } from "../demo/accounts.ts";
import type { DemoLinks } from "../demo/links.ts";
import { DEMO_PASSWORD } from "../demo/person.ts";
import { noise } from "../demo/samples.ts";
import type { Picture } from "./pictures.ts";

export interface Stage {
  origin: string;
  links: DemoLinks;
  admin: { username: string; password: string };
}

type Scene = (page: Page, stage: Stage) => Promise<void>;

/** Brings a new page to what a picture shows. */
export const SCENES: Record<Exclude<Picture, "why">, Scene> = {
  home: async (page) => {
    await page.goto("/");
    await hydrated(page);
  },
  protection: async (page) => {
    await signIn(page, DEMO_ACCOUNTS.professional);
    await page.goto("/");
    await hydrated(page);
    await page.getByRole("button", { name: "Protect the link" }).click();
    await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  },
  transfer: async (page, { links }) => {
    await page.goto(links.get("photographs").link);
    await page.getByText("04 Golden hour.png").waitFor();
  },
  locked: async (page, { links }) => {
    await page.goto(links.get("locked").link);
    await page.getByRole("textbox", { name: "Password" }).waitFor();
  },
  dashboard: async (page) => {
    await signIn(page, DEMO_ACCOUNTS.professional);
    await page.goto("/dashboard");
    await page.getByText("Wedding, selects").first().waitFor();
  },
  request: async (page, { links }) => {
    await page.goto(links.get("received").link);
    await page.getByText("Choose files, or drop them here").waitFor();
  },
  received: async (page) => {
    await signIn(page, DEMO_ACCOUNTS.professional);
    await page.goto("/dashboard/received");
    await page.getByText("Lena Brook").first().waitFor();
  },
  developers: async (page) => {
    await page.goto("/developers");
  },
  overview: async (page, { admin }) => {
    await page.request.post("/api/admin/login", { data: admin });
    await page.goto("/admin/dashboard?tab=overview&days=90");
    await page.locator(".ct-bar").first().waitFor({ state: "attached" });
  },
};

async function signIn(page: Page, email: string): Promise<void> {
  const answer = await page.request.post("/api/auth/login", { data: { email, password: DEMO_PASSWORD } });
  if (!answer.ok()) throw new Error(`the login answered ${answer.status()}: ${await answer.text()}`);
}

/** Sends half of a film, and holds the other half back. @returns the link of the unfinished upload */
export async function sendHalf(page: Page): Promise<string> {
  await signIn(page, DEMO_ACCOUNTS.ultimate);
  await page.goto("/");
  await hydrated(page);
  // The requests of these parts never end, so the upload stops in the middle.
  await page.route(/partNumber=[678]&/, () => undefined);
  const acknowledged = page.waitForEvent("websocket").then((socket) =>
    socket.waitForEvent("framereceived", {
      predicate: ({ payload }) => /"received","parts":\[[^\]]*\b5\b/.test(String(payload)),
    }),
  );
  const film = resolve(".tmp/demo/film/Rough cut 4, graded.mov");
  await mkdir(dirname(film), { recursive: true });
  await writeFile(film, noise("Rough cut 4", 48 * MIB));
  await page.getByLabel("Choose a file").setInputFiles(film);
  await acknowledged;
  return page.getByLabel("Share link").inputValue();
}

/** Waits until React has taken over the page, because React ignores earlier input. */
async function hydrated(page: Page): Promise<void> {
  const input = await page.getByLabel("Choose a file").elementHandle();
  await page.waitForFunction((element) => Object.keys(element ?? {}).some((key) => key.startsWith("__react")), input);
}
