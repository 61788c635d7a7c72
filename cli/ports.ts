import type { DirectPorts, TransferPorts } from "#engine/ports.ts";
import { Sealer } from "#engine/sealing/sealer.ts";
import { ByteReader } from "#engine/transfer/read-bytes.ts";
import { hashPassword } from "../opener/password.ts";
import { nodeHashers } from "./hashers.ts";
import { callsOver } from "./net/engine-calls.ts";
import type { Line } from "./net/line.ts";
import { liveWith } from "./net/live.ts";
import { putWith } from "./net/put.ts";
import type { V1 } from "./net/v1.ts";
import { versionOf } from "./send/collect.ts";
import type { KeptLinks } from "./send/kept-links.ts";

interface Surroundings {
  v1: V1;
  line: Line;
  keyId: string;
  links: KeptLinks;
  /** Goes on with nothing. */
  fresh: boolean;
  warn(message: string): void;
}

/** What the engine gets in a program. Reading and sealing run in the same thread. */
export function programPorts({ v1, line, keyId, links, fresh, warn }: Surroundings): DirectPorts & TransferPorts {
  const calls = callsOver(v1, line.fetch, { keyId, fresh });
  const lost = () => {
    line.fail();
  };
  return {
    calls,
    online: line,
    warn,
    load: (load) => load(),
    put: putWith(v1.headers, lost),
    live: liveWith(v1.origin, v1.headers, calls.idOf),
    versionOf,
    startReading: () => {
      const reader = new ByteReader(nodeHashers);
      return Promise.resolve({
        ask: (request) => reader.answer(request),
        stop: () => {
          reader.stop();
        },
      });
    },
    sealing: () =>
      Promise.resolve({
        startSealing: () => {
          const sealer = new Sealer(nodeHashers);
          return Promise.resolve({ ask: (request) => sealer.answer(request), stop: nothing });
        },
        hashPassword,
        links: fresh ? { ...links, findUnfinished: () => Promise.resolve(null) } : links,
      }),
    // The command line removes no file of a transfer.
    removals: { read: () => [], write: nothing },
  };
}

function nothing(): void {
  // Nothing runs beside the program, and nothing is kept.
}
