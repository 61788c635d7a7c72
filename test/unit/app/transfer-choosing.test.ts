import { describe, expect, it, vi } from "vitest";
import { CurrentTransfer } from "#app/features/upload/transfer/current-transfer.ts";
import type { TransferView } from "#app/features/upload/transfer/transfer-view.ts";
import { DroppedFile, DroppedFolder } from "./dropped-entries.ts";

const file = (name: string) => ({ entry: null, file: new File(["x"], name) });

/** A dropped folder whose only file is read when the test says so. */
function slowFolder(name: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const child = new DroppedFile(`/${name}/late.txt`, async () => {
    await promise;
    return new File(["x"], "late.txt");
  });
  const parts = [[child], []];
  return {
    item: { entry: new DroppedFolder(`/${name}`, () => Promise.resolve(parts.shift() ?? [])), file: null },
    finish: () => {
      resolve(undefined);
    },
  };
}

describe("files that are added while a folder is being read", () => {
  it("do not let the list be sent before the folder is in it", async () => {
    const views: TransferView[] = [];
    const last = () => views.at(-1);
    const transfer = new CurrentTransfer({ items: [slowFolderDone("first")] }, (view) => views.push(view));
    await vi.waitFor(() => {
      expect(last()?.phase).toBe("list");
    });

    const slow = slowFolder("slow");
    const listed = last();
    if (listed?.phase !== "list") throw new Error("no list");
    const reading = listed.draft.extend([slow.item]);
    await listed.draft.extend([file("quick.txt")]);
    expect(last()).toMatchObject({ phase: "list", isReading: true });
    transfer.send({ expiration: "1d", expirationChosen: true }, "first");
    expect(last()?.phase).toBe("list");

    slow.finish();
    await reading;
    const view = last();
    if (view?.phase !== "list") throw new Error("no list");
    expect(view.isReading).toBe(false);
    expect(view.list.entries.map(({ path }) => path)).toEqual(["first/late.txt", "quick.txt", "slow/late.txt"]);
  });
});

function slowFolderDone(name: string) {
  const { item, finish } = slowFolder(name);
  finish();
  return item;
}
