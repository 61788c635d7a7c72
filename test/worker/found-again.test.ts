import { describe, expect, it } from "vitest";
import { listFilesOf } from "#worker/db/files.ts";
import type { FilesPage } from "#domain/wire.ts";
import { newAddress } from "../support/notices.ts";
import { queryPlansOf } from "../support/query-plan.ts";
import { sendSealedTransfer } from "../support/sealed-transfers.ts";
import { SECRET_FILE } from "../support/sealed-uploads.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { programOf } from "../support/v1.ts";
import { answerOf, Client, putOnPlan, rowOf, sendFile, signUp } from "../support/worker.ts";

async function pageOf(person: Client, query: string): Promise<FilesPage> {
  const response = await person.fetch(`/api/files?${query}`);
  expect(response.status).toBe(200);
  return response.json();
}

async function namesFound(person: Client, q: string): Promise<string[]> {
  const { files, total } = await pageOf(person, new URLSearchParams({ q }).toString());
  expect(total).toBe(files.length);
  return files.map(({ filename }) => filename).sort();
}

function change(person: Client, id: string, body: unknown): Promise<[number, Record<string, unknown>]> {
  return answerOf(person.patch(`/api/files/${id}`, body));
}

async function namesOf(id: string): Promise<string | null> {
  const sql = "select (select names from transfer_names where file_id = ?) as names";
  return (await rowOf<{ names: string | null }>(sql, id)).names;
}

describe("searching links", () => {
  it("finds a link by a recipient's address, and nobody else's [FIND-1]", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const { uploadId } = await sendFile(person, "x", { filename: "plan.txt" });
    await sendFile(person, "x", { filename: "other.txt" });
    const address = newAddress("ann");
    await person.post(`/api/files/${uploadId}/share`, { email: address, note: "" });
    expect(await namesFound(person, address)).toEqual(["plan.txt"]);
    expect(await namesFound(person, address.slice(0, 12).toUpperCase())).toEqual(["plan.txt"]);
    expect(await namesFound(other, address)).toEqual([]);
  });

  it("finds a transfer by a file or folder inside, in any letter case [FIND-2]", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const files = [textFile("Alps/Über den Pass.txt"), textFile("Alps/day 2/b.txt"), textFile("notes.md")];
    const { uploadId } = await sendTransfer(person, files, { title: "Holiday" });
    await sendFile(person, "x", { filename: "b.pdf" });
    for (const q of ["ÜBER DEN", "u\u0308ber", "DAY 2", "notes.md", "holiday"])
      expect([q, await namesFound(person, q)]).toEqual([q, ["Holiday.zip"]]);
    expect(await namesFound(person, "b.")).toEqual(["Holiday.zip", "b.pdf"]);
    expect(await namesFound(person, "%")).toEqual([]);
    expect(await namesFound(other, "notes.md")).toEqual([]);
    expect(await namesOf(uploadId)).toBe("alps\nüber den pass.txt\nday 2\nb.txt\nnotes.md");
  });

  it("does not find a transfer by a file that was removed [FIND-2]", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, [textFile("a.txt"), textFile("secret plan.txt")], { title: "T" });
    expect(await namesFound(person, "secret")).toEqual(["T.zip"]);
    expect((await person.delete(`/api/files/${uploadId}/entries/1`)).status).toBe(200);
    expect(await namesFound(person, "secret")).toEqual([]);
    expect(await namesFound(person, "a.txt")).toEqual(["T.zip"]);
    expect(await namesOf(uploadId)).toBe("a.txt");
  });

  it("forgets the names of a transfer with its bytes [FIND-2]", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, [textFile("a.txt"), textFile("b.txt")]);
    expect(await namesOf(uploadId)).toBe("a.txt\nb.txt");
    expect((await person.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect(await namesOf(uploadId)).toBeNull();
  });

  it("keeps no names of an encrypted transfer [FIND-3]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const { uploadId } = await sendSealedTransfer(person, [SECRET_FILE]);
    expect(await namesOf(uploadId)).toBeNull();
    expect(await namesFound(person, "sealed")).toEqual([]);
  });
});

describe("labels", () => {
  it("are given, listed, chosen by and taken away, by their owner only [FIND-4]", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const one = await sendFile(person, "x", { filename: "one.txt" });
    const two = await sendTransfer(person, [textFile("a.txt")], { title: "Two" });
    await sendFile(person, "x", { filename: "three.txt" });
    expect((await pageOf(person, "page=1")).labels).toEqual([]);
    expect(await change(person, one.uploadId, { labels: [" Customer A", "open"] })).toMatchObject([
      200,
      { filename: "one.txt", labels: ["Customer A", "open"] },
    ]);
    expect(await change(person, two.uploadId, { labels: ["open"] })).toMatchObject([200, { labels: ["open"] }]);
    expect((await change(other, one.uploadId, { labels: ["mine"] }))[0]).toBe(404);
    const all = await pageOf(person, "page=1");
    expect(all.labels).toEqual(["Customer A", "open"]);
    expect(all.files.map(({ labels }) => labels).sort()).toEqual([["Customer A", "open"], ["open"], undefined]);
    const open = await pageOf(person, "label=open&sort=name");
    expect([open.total, open.files.map(({ filename }) => filename)]).toEqual([2, ["one.txt", "Two.zip"]]);
    expect((await pageOf(person, "label=open&q=one")).total).toBe(1);
    expect((await pageOf(person, "label=Open")).total).toBe(0);
    expect((await pageOf(other, "label=open")).total).toBe(0);
    expect((await pageOf(other, "page=1")).labels).toEqual([]);
    const [, cleared] = await change(person, one.uploadId, { labels: [] });
    expect(cleared).not.toHaveProperty("labels");
    expect((await pageOf(person, "page=1")).labels).toEqual(["open"]);
  });

  it.each([{ labels: ["1", "2", "3", "4", "5", "6"] }, { labels: [""] }, { labels: "a" }, { labels: ["a\u0000"] }])(
    "%j is refused [FIND-4]",
    async (body) => {
      const person = await signUp();
      const { uploadId } = await sendFile(person, "x");
      expect(await change(person, uploadId, body)).toMatchObject([400, { code: "BAD_REQUEST" }]);
    },
  );

  it("are read, given and chosen by in /api/v1 [FIND-5]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "x", { filename: "one.txt" });
    await sendFile(person, "x", { filename: "two.txt" });
    const program = await programOf(person);
    const changed = await program.answer(`/transfers/${uploadId}`, "PATCH", { labels: ["backup"] });
    expect(changed).toMatchObject({ name: "one.txt", labels: ["backup"] });
    const { items } = await program.answer<{ items: { name: string }[] }>("/transfers?label=backup");
    expect(items.map(({ name }) => name)).toEqual(["one.txt"]);
    const all = await program.answer<{ items: object[] }>("/transfers");
    expect(all.items).toHaveLength(2);
    expect(all.items[0]).not.toHaveProperty("labels");
    const both = { labels: [], guards: { maxDownloads: 1 } };
    expect((await program.patch(`/transfers/${uploadId}`, both)).status).toBe(400);
  });

  it("of an account are listed from an index, without its other links [FIND-6]", async () => {
    const plans = await queryPlansOf((db) => listFilesOf(db, "nobody", { order: "newest", search: "" }));
    expect(plans.at(-1)).toContain("SEARCH files USING INDEX files_labelled (user_id=?)");
  });
});
