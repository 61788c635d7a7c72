import { AppError } from "#domain/errors.ts";
import { cutIntoStretches } from "#domain/protection/coverage.ts";
import { localizedError } from "../errors/translate-error.ts";
import { askGate, refusedLease } from "../links/leases.ts";
import type { CountedUnder } from "../links/open-link.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { keepRenewing } from "./keep-renewing.ts";
import type { Representation, ByteRange, SendBytes } from "./representation.ts";

/**
 * Announces the range to the link's gate, sends it in stretches, renews the lease meanwhile, and reports to the gate
 * how much was handed over. Cuts a response that cannot renew its lease. @throws AppError LEASE_NEEDED when the lease
 * has lapsed, RATE_LIMITED for too many ranges, GATE_UNAVAILABLE, FILE_EXPIRED, and the errors of `refusedLease`
 */
export async function openLeased(
  services: Services,
  representation: Representation,
  { id, begins }: CountedUnder,
  range: ByteRange,
): Promise<SendBytes> {
  const response = crypto.randomUUID();
  const { downloadId } = representation;
  const { resource, wholesIn } = representation.coverage;
  const end = range.offset + range.length;
  const asked = { response, resource, from: range.offset, to: end, wholes: wholesIn(range) };
  const opened = await askGate(services, downloadId, (gate) => gate.open(id, asked, begins));
  if (!opened.ok) {
    if (opened.code === "LEASE_NEEDED") throw new AppError("LEASE_NEEDED");
    if (opened.code === "TOO_MANY_RANGES") throw localizedError("RATE_LIMITED", "tooManyRanges", {});
    throw begins ? refusedLease(opened, begins, Date.now()) : new AppError("LEASE_NEEDED");
  }
  const { lease } = opened;
  const report = (handedTo: number, underWayTo: number) =>
    askGate(services, downloadId, (gate) => gate.ended(lease, response, handedTo, underWayTo)).catch((error: unknown) =>
      logError("gate.report_lost", error),
    );
  const [first = range, ...others] = cutIntoStretches(range.offset, range.length);
  let firstBytes: SendBytes;
  try {
    firstBytes = await representation.open(first);
  } catch (error) {
    await report(range.offset, range.offset);
    throw error;
  }

  return async (to, { signal } = {}) => {
    let handedTo = range.offset;
    let underWayTo = first.offset + first.length;
    const cut = new AbortController();
    signal?.addEventListener("abort", () => cut.abort(signal.reason));
    const renew = () => askGate(services, downloadId, (gate) => gate.renew(lease, response, handedTo));
    const stopRenewing = keepRenewing(renew, cut);
    try {
      let send = firstBytes;
      for (const next of others) {
        // Opens the next stretch while the present one is sent, to hide the latency of storage.
        const ahead = representation.open(next);
        ahead.catch(() => undefined);
        await send(to, { preventClose: true, signal: cut.signal });
        handedTo = underWayTo;
        underWayTo = next.offset + next.length;
        send = await ahead;
      }
      await send(to, { signal: cut.signal });
      handedTo = underWayTo;
    } catch (error) {
      await to.abort(error).catch(() => undefined);
      throw error;
    } finally {
      stopRenewing();
      await report(handedTo, underWayTo);
    }
  };
}
