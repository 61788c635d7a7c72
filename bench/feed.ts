import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { formatBytes, KIB, MIB } from "#domain/units.ts";
import { prepareServer } from "../scripts/local-server.ts";
import type { Config } from "../scripts/wrangler-config.ts";
import { createAccount, type Account } from "./support/account.ts";
import type { Bench } from "./support/bench.ts";
import { Guest } from "./support/guest.ts";
import { discard } from "./support/http.ts";
import { median, type Row } from "./support/measure.ts";
import { uploadByScript } from "./support/script.ts";

const SHAPES = [
  { sizeBytes: 100 * KIB, times: 200 },
  { sizeBytes: 16 * MIB, times: 60 },
];
const TIMES_BEFORE = 10;
/** The pause after each download, for the Worker's work behind its answer: only the reader's wait is measured. */
const PAUSE_MS = 25;
/** A class without the methods of the feed, so that each call of the feed fails. */
const WRONG_CLASS = "SocketCounter";

const WAYS = ["nobody", "somebody", "failing"] as const;
type Way = (typeof WAYS)[number];

/**
 * Compares downloads whose owner has no page open with downloads whose owner listens, and with downloads from a server
 * whose feed fails. Each download is measured by itself, and the three ways take turns.
 */
export async function measureFeed({ server }: Bench): Promise<Row[]> {
  const failing = await prepareServer({ adapt: withoutFeed });
  let page: Guest | null = null;
  try {
    await failing.start();
    const owners: Record<Way, Account> = {
      nobody: await createAccount(server, "nobody@example.com"),
      somebody: await createAccount(server, "somebody@example.com"),
      failing: await createAccount(failing),
    };
    const { name, value } = owners.somebody.cookie;
    const headers = { cookie: `${name}=${value}`, origin: server.origin };
    page = await Guest.open(new URL("/ws/account", server.origin), headers);
    let heard = 0;
    page.listen((message, start, end) => {
      heard += new TextDecoder().decode(message.subarray(start, end)).split('"state":"done"').length - 1;
    });
    const rows: Row[] = [];
    for (const shape of SHAPES) {
      heard = 0;
      const ms = await measure(shape, owners, {
        nobody: server.origin,
        somebody: server.origin,
        failing: failing.origin,
      });
      while (heard < TIMES_BEFORE + shape.times) await wait(PAUSE_MS);
      const what = `down, ${shape.times} x ${formatBytes(shape.sizeBytes)}`;
      rows.push(
        { what: `${what}, somebody listens, beside nobody`, productMs: ms.somebody, floorMs: ms.nobody },
        { what: `${what}, the feed fails, beside nobody listens`, productMs: ms.failing, floorMs: ms.nobody },
      );
    }
    return rows;
  } finally {
    page?.leave();
    await failing.stop();
  }
}

/** @returns the median of each way, in milliseconds */
async function measure(
  { sizeBytes, times }: (typeof SHAPES)[number],
  owners: Record<Way, Account>,
  origins: Record<Way, string>,
): Promise<Record<Way, number>> {
  const bytes = randomBytes(sizeBytes);
  const urls = {} as Record<Way, string>;
  for (const way of WAYS) {
    const { downloadId } = await uploadByScript(owners[way], bytes);
    urls[way] = `${origins[way]}/api/files/download/${downloadId}/content`;
  }
  const durations: Record<Way, number[]> = { nobody: [], somebody: [], failing: [] };
  for (let time = -TIMES_BEFORE; time < times; time += 1) {
    // Each round begins with another way, so that no way always comes after the same one.
    for (let turn = 0; turn < WAYS.length; turn += 1) {
      const way = WAYS[(time + TIMES_BEFORE + turn) % WAYS.length] ?? "nobody";
      const from = performance.now();
      await discard(urls[way]);
      if (time >= 0) durations[way].push(performance.now() - from);
      await wait(PAUSE_MS);
    }
  }
  return {
    nobody: median(durations.nobody),
    somebody: median(durations.somebody),
    failing: median(durations.failing),
  };
}

function withoutFeed(config: Config): Config {
  const bindings = config.durable_objects?.bindings?.map((binding) =>
    binding.name === "FEEDS" ? { ...binding, class_name: WRONG_CLASS } : binding,
  );
  return { ...config, durable_objects: { ...config.durable_objects, bindings: bindings ?? [] } };
}
