import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { batch } from "../support/transfers.ts";
import { evict, start, type Transfer } from "./transfer-support.ts";

/** @returns the SQL that the transfer's object runs meanwhile */
async function statementsOf({ stub }: Transfer, work: () => Promise<unknown>): Promise<string[]> {
  const spy = await runInDurableObject(stub, (_, { storage }) => vi.spyOn(storage.sql, "exec"));
  await work();
  const statements = spy.mock.calls.map(([sql]) => sql);
  spy.mockRestore();
  return statements;
}

describe("the work of a batch", () => {
  const list = Array.from({ length: 500 }, (_, n): [string, number, number] => [`folder/${n}.txt`, 1, 0]);
  const announced = { totals: { entries: 500, bytes: 500 }, entries: { from: 0, list } };

  it("is one reading of each row of the list when 500 entries come again, or 200 of them are removed", async () => {
    const transfer = await start([], announced);
    const { owner, downloadId } = transfer;
    await evict(transfer);
    await batch(owner, downloadId);
    const countRows = (statements: string[]) => statements.filter((sql) => sql.includes("list from entries")).length;
    expect(countRows(await statementsOf(transfer, () => batch(owner, downloadId, announced)))).toBe(5);
    const remove = Array.from({ length: 200 }, (_, index) => 200 + index);
    expect(countRows(await statementsOf(transfer, () => batch(owner, downloadId, { remove })))).toBe(2);
  });

  it("does not grow with the open objects [TRF-35]", async () => {
    const transfer = await start([], announced);
    const { owner, downloadId } = transfer;
    const poll = () =>
      statementsOf(transfer, async () => {
        await batch(owner, downloadId);
        await transfer.stub.status();
      });
    const before = await poll();
    for (let first = 0; first < 240; first += 24) {
      const open = Array.from({ length: 24 }, (_, index) => ({ object: first + index, runs: [[first + index, 1]] }));
      await batch(owner, downloadId, { open });
    }
    expect(await poll()).toEqual(before);
  });
});
