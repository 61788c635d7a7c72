// @module-tag long
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run } from "#domain/transfers/runs.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { bytesPerhapsHad } from "#durable-objects/gate/lease.ts";
import * as gate from "#durable-objects/gate/state.ts";
import { GateModel, type ModelRange } from "./gate-model.ts";

const WALKS = Number(process.env.GATE_WALKS ?? "300");

/** Two files, an empty one, and the archive that has both with a byte before and after each. */
const RESOURCES = { a: 8, b: 3, empty: 0, zip: 14 };
const FILES: Record<string, [first: number, count: number][]> = {
  a: [[0, 8]],
  b: [[0, 3]],
  empty: [[0, 0]],
  zip: [
    [0, 14],
    [1, 8],
    [10, 3],
  ],
};
const SIZE_BYTES = 11;

type Step =
  | { do: "wait"; minutes: number }
  | { do: "take"; who: string }
  | { do: "open"; who: string; resource: keyof typeof RESOURCES; from: number; count: number }
  | { do: "repeat"; which: number }
  | { do: "renew"; which: number; part: number }
  | { do: "ended"; which: number; part: number; underWay: number }
  | { do: "setLimit"; limit: number }
  | { do: "letGoOn" };

const who = fc.constantFrom("ada", "ben", "cy", "dot", "eve");
const which = fc.nat(3);
/** Often most of a file, but not all of it. */
const part = fc.constantFrom(0, 1, 3, 5, 6, 7, 7, 14);
const resource = fc.constantFrom(...(Object.keys(RESOURCES) as (keyof typeof RESOURCES)[]));
const from = fc.constantFrom(0, 0, 0, 1, 3, 6, 7, 11);
const open = fc.record({
  do: fc.constant("open" as const),
  who,
  resource,
  from,
  count: fc.constantFrom(0, 2, 5, 14, 14),
});
const end = fc.record({ do: fc.constant("ended" as const), which, part, underWay: fc.nat(4) });
const wait = fc.record({
  do: fc.constant("wait" as const),
  minutes: fc.constantFrom(1, 4, 10, 14, 15, 16, 45, 60, 700, 1430),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: wait },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("take" as const), who }) },
  { weight: 20, arbitrary: open },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repeat" as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("renew" as const), which, part }) },
  { weight: 15, arbitrary: end },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("setLimit" as const), limit: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("letGoOn" as const) }) },
);

/** Somebody, and perhaps others after them, reads all of a file but its last byte, and leaves. */
const oneBreakOff: fc.Arbitrary<Step[]> = fc
  .record({ who: fc.nat(9).map((bot) => `bot ${bot}`), minutes: fc.constantFrom(1, 16, 16) })
  .map((bot) => [
    { do: "take", who: bot.who },
    { do: "open", who: bot.who, resource: "a", from: 0, count: 8 },
    { do: "ended", which: 0, part: 7, underWay: 1 },
    { do: "wait", minutes: bot.minutes },
  ]);
const breakOff = fc.array(oneBreakOff, { minLength: 1, maxLength: 6 }).map((bots) => bots.flat());

/** Goes on where the first response broke off, whose end is noticed before or after that. */
const resume: fc.Arbitrary<Step[]> = fc
  .record({
    who,
    part: fc.nat(8),
    underWay: fc.nat(4),
    from: fc.nat(8),
    last: fc.constantFrom(0, 8),
    isNoticedFirst: fc.boolean(),
  })
  .map(({ isNoticedFirst, ...of }) => {
    const noticed = { do: "ended", part: of.part, underWay: of.underWay } as const;
    const goesOn = { do: "open", who: of.who, resource: "a", from: of.from, count: 8 } as const;
    return [
      { do: "take", who: of.who },
      { do: "open", who: of.who, resource: "a", from: 0, count: 8 },
      ...(isNoticedFirst ? [{ ...noticed, which: 0 }, goesOn] : [goesOn, { ...noticed, which: 1 }]),
      { do: "ended", which: 0, part: of.last, underWay: 0 },
    ];
  });

/** The report of a response comes after its lease has lapsed, and perhaps after somebody took the place. */
const lateReport: fc.Arbitrary<Step[]> = fc
  .record({ who, other: who, part: fc.constantFrom(1, 7, 8), between: fc.constantFrom("take", "letGoOn", "wait") })
  .map((of) => [
    { do: "take", who: of.who },
    { do: "open", who: of.who, resource: "a", from: 0, count: 8 },
    { do: "wait", minutes: 16 },
    of.between === "take"
      ? { do: "take", who: of.other }
      : of.between === "wait"
        ? { do: "wait", minutes: 1 }
        : { do: "letGoOn" },
    { do: "ended", which: 0, part: of.part, underWay: 1 },
    { do: "wait", minutes: 16 },
    { do: "take", who: of.who },
  ]);

/** Takes the same steps with the machine and with the model. */
class Walk {
  now = 0;
  limit: number;
  state: gate.GateState;
  readonly model: GateModel;
  readonly opened: (ModelRange & { who: string })[] = [];

  constructor(limit: number) {
    this.limit = limit;
    this.state = gate.startGate({ fileId: "id", sizeBytes: SIZE_BYTES, limit, counted: 0 }, this.now);
    this.model = new GateModel(limit, SIZE_BYTES, FILES);
  }

  /** @returns both answers */
  take(step: Step): [unknown, unknown] {
    switch (step.do) {
      case "wait":
        this.now += step.minutes * MINUTE_MS;
        this.model.wait(step.minutes);
        return [null, null];
      case "take": {
        const answer = this.#keep(gate.take(this.state, step.who, this.now));
        return [answer.ok ? { ok: true, left: answer.left } : answer.code, this.model.take(step.who)];
      }
      case "open": {
        const size = RESOURCES[step.resource];
        const from = Math.min(step.from, Math.max(size - 1, 0));
        const to = Math.min(from + step.count, size);
        const range = { who: step.who, response: `r${this.opened.length}`, resource: step.resource, from, to };
        this.opened.push(range);
        return this.#open(range);
      }
      case "repeat": {
        const range = this.#opened(step.which);
        // A response that has ended is not opened again: its name is random.
        const isRunning = this.model.people
          .get(range?.who ?? "")
          ?.sent.some((sent) => sent.response === range?.response && sent.end === null);
        return range && isRunning ? this.#open(range) : [null, null];
      }
      case "renew": {
        const range = this.#opened(step.which);
        if (!range) return [null, null];
        const handedTo = range.from + step.part;
        const answer = this.#keep(gate.renew(this.state, range.who, range.response, handedTo, this.now));
        return [answer, this.model.renew(range.who, range.response, handedTo)];
      }
      case "ended": {
        const range = this.#opened(step.which);
        if (!range) return [null, null];
        const [handedTo, underWayTo] = [range.from + step.part, range.from + step.part + step.underWay];
        this.state = gate.ended(this.state, range.who, range.response, { handedTo, underWayTo }, this.now);
        this.model.ended(range.who, range.response, handedTo, underWayTo);
        return [null, null];
      }
      case "setLimit": {
        const answer = this.#keep(gate.setLimit(this.state, step.limit, this.now));
        if (answer) this.limit = step.limit;
        return [answer, this.model.setLimit(step.limit)];
      }
      case "letGoOn":
        this.state = gate.letGoOn(this.state, this.now);
        this.model.letGoOn();
        return [null, null];
    }
  }

  #open(range: ModelRange & { who: string }): [unknown, unknown] {
    const wholes: Run[] = FILES[range.resource] ?? [];
    const answer = this.#keep(gate.open(this.state, range.who, { ...range, wholes }, this.now));
    return [answer.ok, this.model.open(range.who, range)];
  }

  /** One of the last that were opened. */
  #opened(index: number) {
    return this.opened.at(-1 - index);
  }

  #keep<Answer>({ state, answer }: gate.Transition<Answer>): Answer {
    this.state = state;
    return answer;
  }

  get sums() {
    const leases = [...this.state.leases.values()];
    const { counted, lostBytes } = this.state.link;
    const held = leases.filter(({ standing }) => standing === "held").length;
    const lost = leases.reduce((sum, lease) => sum + lease.lostBytes, lostBytes);
    const copies = Math.floor(lost / SIZE_BYTES);
    return { counted, held, copies };
  }
}

describe("a limited link", () => {
  it(`is as the model says on ${WALKS} random walks, and never above its limit`, { timeout: 60_000 * WALKS }, () => {
    const reached = new Set<string>();
    const oneStep = anyStep.map((step) => [step]);
    const scenes = [breakOff, resume, lateReport].map((arbitrary) => ({ weight: 1, arbitrary }));
    const steps = fc.oneof({ weight: 15, arbitrary: oneStep }, ...scenes);
    const anyWalk = fc.array(steps, { minLength: 60, maxLength: 60 }).map((parts) => parts.flat());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), anyWalk, (limit, steps) => {
        const walk = new Walk(limit);
        let before = walk.sums;
        for (const step of steps) {
          const [answer, expected] = walk.take(step);
          expect(answer).toEqual(expected);
          walk.state = gate.tidy(walk.state, walk.now);
          compare(walk);
          const { counted, held, copies } = walk.sums;
          // A limit that was lowered is not exceeded any further.
          expect(counted + held).toBeLessThanOrEqual(Math.max(walk.limit, before.counted + before.held));
          expect(copies + held).toBeLessThanOrEqual(Math.max(walk.limit + 3, before.copies + before.held));
          expect(counted - before.counted).toBeOneOf([0, 1]);
          before = walk.sums;
          if (typeof answer === "string") reached.add(answer);
          if (walk.state.link.closedAt !== null) reached.add("closed");
        }
      }),
      { numRuns: WALKS },
    );
    expect([...reached].sort()).toEqual(["ATTEMPTS_USED_UP", "DOWNLOADS_BUSY", "DOWNLOADS_USED_UP", "closed"]);
  });
});

function compare({ state, model, sums }: Walk): void {
  expect(sums).toEqual({ counted: model.counted, held: model.held, copies: model.copies });
  const { endedAt, closedAt } = state.link;
  expect([endedAt !== null, closedAt !== null]).toEqual([model.isEnded, model.isClosed]);
  const seen = [...state.leases.values()].map((lease) => [
    lease.id,
    lease.standing,
    [...lease.bytes.values()].flatMap(({ had }) => had).reduce((sum, [, count]) => sum + count, 0),
    bytesPerhapsHad(lease),
  ]);
  const expected = [...model.people].map(([id, { place }]) => [
    id,
    place,
    model.bytesOf(id, false).size,
    model.bytesOf(id, true).size,
  ]);
  expect(seen.sort()).toEqual(expected.sort());
}
