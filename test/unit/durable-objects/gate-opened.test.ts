import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import * as gate from "#durable-objects/gate/state.ts";

/** A browser says that it has opened a whole encrypted file. */

const LINK = { fileId: "id", sizeBytes: 1000, limit: 1, counted: 0 };

function takenAt(now: number): gate.GateState {
  return gate.take(gate.startGate(LINK, now), "ada", now).state;
}

it("uses the place up, once, and ends the link", () => {
  const first = gate.opened(takenAt(0), "ada", MINUTE_MS);
  expect([first.answer, first.state.link.counted, first.state.link.endedAt]).toEqual([{ ok: true }, 1, MINUTE_MS]);
  const second = gate.opened(first.state, "ada", 2 * MINUTE_MS);
  expect([second.answer, second.state.link.counted]).toEqual([{ ok: true }, 1]);
  expect(gate.describe(second.state, 2 * MINUTE_MS)).toEqual({ used: 1, running: 0, isWaiting: false });
});

it("does not count again what the bytes count [SEAL-35]", () => {
  const asked = { response: "response", resource: "file", from: 0, to: 1000, wholes: [[0, 1000]] as const };
  const open = gate.open(takenAt(0), "ada", asked, 0);
  const opened = gate.opened(open.state, "ada", MINUTE_MS);
  const sent = { handedTo: 1000, underWayTo: 1000 };
  expect(gate.ended(opened.state, "ada", "response", sent, 2 * MINUTE_MS).link.counted).toBe(1);
});

it("said again does not keep a lease alive", () => {
  let { state } = gate.opened(takenAt(0), "ada", 0);
  for (let now = 0; now < 30 * HOUR_MS; now += 10 * MINUTE_MS) state = gate.opened(state, "ada", now).state;
  expect(gate.opened(state, "ada", 30 * HOUR_MS).answer).toEqual({ ok: false, code: "LEASE_NEEDED" });
});

it("said again does not move the lease's end", () => {
  const { state } = gate.opened(takenAt(0), "ada", 0);
  const again = gate.opened(state, "ada", 50 * MINUTE_MS);
  expect([gate.nextTidyAt(state), again.answer, gate.nextTidyAt(again.state)]).toEqual([
    HOUR_MS,
    { ok: true },
    HOUR_MS,
  ]);
});

it("needs a lease that lives", () => {
  const refused = { ok: false, code: "LEASE_NEEDED" };
  expect(gate.opened(takenAt(0), "bob", 0).answer).toEqual(refused);
  const late = gate.opened(takenAt(0), "ada", 16 * MINUTE_MS);
  expect([late.answer, late.state.link.counted]).toEqual([refused, 0]);
});
