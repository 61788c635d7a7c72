import { expect, it } from "vitest";
import { sendingView, viewOfEntries } from "#app/features/upload/transfer/transfer-view.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";

/** Three files of a transfer that is about to be sent. */
function beginning() {
  const entries = new TransferEntries(() => 0);
  for (const path of ["a.txt", "b.txt", "c/d.txt"]) entries.add({ path, sizeBytes: 10 });
  const upload = { entries, canReload: (n: number) => n === 0 };
  const list = { entries: [], bytes: 30, changedNames: 0, leftOut: 0 };
  return { entries, upload, view: sendingView(upload, list, { title: "Trip", message: "" }) };
}

const pathsOf = (rows: readonly { path: string }[]) => rows.map(({ path }) => path);

it("begins with all files and their bytes", () => {
  const { view } = beginning();
  expect(view).toMatchObject({ count: 3, stored: 0, problems: [], progress: { totalBytes: 30, percent: 0 } });
  expect(view.rows).toEqual([
    { n: 0, path: "a.txt", sizeBytes: 10 },
    { n: 1, path: "b.txt", sizeBytes: 10 },
    { n: 2, path: "c/d.txt", sizeBytes: 10 },
  ]);
});

it("keeps the rows while states change alone, so that the tree is not built anew", () => {
  const { entries, upload, view } = beginning();
  entries.setPhase(1, "stored");
  const next = viewOfEntries(upload, view);
  expect(next.rows).toBe(view.rows);
  expect(next).toMatchObject({ stored: 1, count: 3 });
  expect(next.version).toBeGreaterThan(view.version);
});

it("shows a file that is sent again under its new number, at its old place", () => {
  const { entries, upload, view } = beginning();
  entries.setPhase(0, "removed");
  entries.add({ path: "a.txt", sizeBytes: 12 });
  const { rows, count } = viewOfEntries(upload, view);
  expect(pathsOf(rows)).toEqual(["a.txt", "b.txt", "c/d.txt"]);
  expect(rows[0]).toEqual({ n: 3, path: "a.txt", sizeBytes: 12 });
  expect(count).toBe(3);
});

it("names files that changed or cannot be read, and whether they can be read again", () => {
  const { entries, upload, view } = beginning();
  entries.setPhase(0, "changed");
  entries.setPhase(2, "unreadable");
  expect(viewOfEntries(upload, view).problems).toEqual([
    { n: 0, path: "a.txt", state: "changed", reason: null, canReload: true },
    { n: 2, path: "c/d.txt", state: "unreadable", reason: null, canReload: false },
  ]);
});

it("counts what was there when an interrupted transfer went on, and not what is sent later", () => {
  const { entries, upload, view } = beginning();
  entries.setPhase(0, "stored");
  entries.setPhase(1, "stored");
  const resumed = { ...view, ...viewOfEntries(upload, { ...view, resumedWith: 0 }) };
  expect(resumed.resumedWith).toBe(2);
  entries.setPhase(2, "stored");
  expect(viewOfEntries(upload, resumed).resumedWith).toBe(2);
  expect(viewOfEntries(upload, view).resumedWith).toBeNull();
});
