import type { Bench } from "./bench.ts";
import type { Row } from "./measure.ts";
import { Profiler } from "./profiler.ts";

const CALLS = 50;
/** The number of calls to warm up, which are not measured. */
const CALLS_BEFORE = 20;

export type Call = () => Promise<unknown>;

export interface Operation {
  what: string;
  budgetMs: number | null;
  calls?: number;
  /** Prepares `count` calls. The preparation is not measured. */
  prepare(count: number): Promise<Call[]>;
}

/** @returns the CPU time of one call of each operation */
export async function measureOperations({ server }: Bench, operations: Operation[]): Promise<Row[]> {
  const profiler = await Profiler.connect(server.debuggerUrl);
  try {
    const rows: Row[] = [];
    for (const { what, budgetMs, calls = CALLS, prepare } of operations) {
      const prepared = await prepare(calls === 1 ? 1 : CALLS_BEFORE + calls);
      for (const call of prepared.splice(0, prepared.length - calls)) await call();
      const busyMs = await profiler.busyMs(async () => {
        for (const call of prepared) await call();
      });
      rows.push({ what: `CPU of ${what}`, productMs: busyMs / calls, floorMs: budgetMs });
    }
    return rows;
  } finally {
    profiler.close();
  }
}
