import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WordsOnServer } from "#app/features/upload/transfer/words-on-server.ts";

const LINK = { uploadId: "u1", downloadId: "d1" };
const never = new AbortController().signal;

/** What the server has, and the changes that it was sent. */
let kept = { title: "Norway", message: "Enjoy!" };
let changes: unknown[] = [];
let refusals: { status: number; code: string }[] = [];

beforeEach(() => {
  kept = { title: "Norway", message: "Enjoy!" };
  changes = [];
  refusals = [];
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", (_address: string, { body }: RequestInit = {}) => {
    if (typeof body !== "string") return Promise.resolve(Response.json({ transfer: kept }));
    const refusal = refusals.shift();
    if (refusal) return Promise.resolve(Response.json({ code: refusal.code }, { status: refusal.status }));
    changes.push(JSON.parse(body));
    return Promise.resolve(Response.json({}));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("a resumed transfer keeps its words when the person typed none", async () => {
  const words = new WordsOnServer();
  words.type({ title: "", message: "" });
  expect(await words.takeOver(LINK, never)).toEqual({ title: "Norway", message: "Enjoy!" });
  expect(changes).toEqual([]);
});

it("a resumed transfer gets what the person typed, and keeps the rest", async () => {
  const words = new WordsOnServer();
  words.type({ title: "Summer", message: "" });
  expect(await words.takeOver(LINK, never)).toEqual({ title: "Summer", message: "Enjoy!" });
  expect(changes).toEqual([{ filename: "Summer" }]);
  expect(words.isUnsaved).toBe(false);
});

it("what the server refuses is sent with the next change", async () => {
  const words = new WordsOnServer();
  words.type({ title: "", message: "Hello" });
  refusals = [{ status: 400, code: "BAD_REQUEST" }];
  await expect(words.takeOver(LINK, never)).rejects.toThrow();
  expect(words.isUnsaved).toBe(true);
  await words.save("u1", { title: "Summer" });
  expect(changes).toEqual([{ filename: "Summer", message: "Hello" }]);
});

it("a change while the transfer is being finished is tried once more", async () => {
  const words = new WordsOnServer();
  refusals = [{ status: 409, code: "UPLOAD_CLOSED" }];
  await words.save("u1", { message: "" });
  expect(changes).toEqual([{ message: "" }]);
});

it("nothing is sent when nothing was changed", async () => {
  const words = new WordsOnServer();
  words.type({ title: "Summer", message: "" });
  words.started();
  await words.save("u1", {});
  expect(changes).toEqual([]);
});
