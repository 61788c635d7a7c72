import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import * as gate from "#durable-objects/gate/state.ts";

const SIZE_BYTES = 1000;

/** A link with a clock. */
class Link {
  now = 0;
  state: gate.GateState;
  #responses = 0;

  constructor(limit: number, counted = 0) {
    this.state = gate.startGate({ fileId: "id", sizeBytes: SIZE_BYTES, limit, counted }, 0);
  }

  wait(ms: number): void {
    this.now += ms;
    this.state = gate.tidy(this.state, this.now);
  }

  take(who: string): string | { left: number; until: number } {
    const answer = this.#keep(gate.take(this.state, who, this.now));
    if (answer.ok) return { left: answer.left, until: answer.until };
    return answer.code === "DOWNLOADS_BUSY" ? `${answer.code} until ${answer.freeAt}` : answer.code;
  }

  /** @returns the response's name */
  open(who: string, from = 0, to = SIZE_BYTES): string {
    const response = `response ${(this.#responses += 1)}`;
    expect(this.tryOpen(who, response, from, to)).toEqual({ ok: true });
    return response;
  }

  tryOpen(who: string, response: string, from = 0, to = SIZE_BYTES, resource = "file"): gate.OpenAnswer {
    const wholes = [[0, SIZE_BYTES]] as const;
    return this.#keep(gate.open(this.state, who, { response, resource, from, to, wholes }, this.now));
  }

  renew(who: string, response: string, handedTo = 0): boolean {
    return this.#keep(gate.renew(this.state, who, response, handedTo, this.now));
  }

  end(who: string, response: string, handedTo: number, underWayTo = handedTo): void {
    this.state = gate.ended(this.state, who, response, { handedTo, underWayTo }, this.now);
  }

  /** Takes a place and downloads everything. */
  download(who: string): void {
    this.take(who);
    this.end(who, this.open(who), SIZE_BYTES);
  }

  setLimit(limit: number): boolean {
    return this.#keep(gate.setLimit(this.state, limit, this.now));
  }

  #keep<Answer>({ state, answer }: gate.Transition<Answer>): Answer {
    this.state = state;
    return answer;
  }
}

const QUARTER = 15 * MINUTE_MS;

describe("a place", () => {
  it("is held for 15 minutes after the last sign of life", () => {
    const link = new Link(1);
    expect(link.take("ada")).toEqual({ left: 1, until: QUARTER });
    const response = link.open("ada");
    link.wait(QUARTER - 1);
    expect(link.renew("ada", response)).toBe(true);
    expect(link.take("ben")).toBe(`DOWNLOADS_BUSY until ${2 * QUARTER - 1}`);
    link.wait(QUARTER - 1);
    expect(link.take("ben")).toBe(`DOWNLOADS_BUSY until ${2 * QUARTER - 1}`);
    link.wait(1);
    expect(link.take("ben")).toEqual({ left: 1, until: 3 * QUARTER - 1 });
    expect(link.renew("ada", response)).toBe(false);
    expect(link.tryOpen("ada", "another")).toEqual({ ok: false, code: "LEASE_NEEDED" });
  });

  it("is free 24 hours after it was taken, however busy it was", () => {
    const link = new Link(1);
    link.take("ada");
    const response = link.open("ada");
    for (let minutes = 10; minutes < 24 * 60; minutes += 10) {
      link.wait(10 * MINUTE_MS);
      expect(link.renew("ada", response)).toBe(true);
    }
    link.wait(10 * MINUTE_MS);
    expect(link.renew("ada", response)).toBe(false);
    expect(link.take("ben")).toMatchObject({ left: 1 });
  });

  it("is the same one when its browser takes it again", () => {
    const link = new Link(3);
    expect(link.take("ada")).toMatchObject({ left: 3 });
    expect(link.take("ben")).toMatchObject({ left: 2 });
    expect(link.take("ada")).toMatchObject({ left: 2 });
    expect(link.state.leases.size).toBe(2);
  });

  it("is needed for bytes", () => {
    const link = new Link(3);
    expect(link.tryOpen("ada", "first")).toEqual({ ok: false, code: "LEASE_NEEDED" });
  });

  it("that was never used leaves nothing behind", () => {
    const link = new Link(1);
    link.take("ada");
    link.wait(QUARTER);
    expect(link.state.leases.size).toBe(0);
    expect(gate.nextTidyAt(link.state)).toBeNull();
  });
});

describe("a download", () => {
  it("counts once, and its browser may go on for an hour", () => {
    const link = new Link(2);
    link.download("ada");
    expect(link.state.link.counted).toBe(1);
    link.wait(HOUR_MS - 1);
    link.end("ada", link.open("ada"), SIZE_BYTES);
    expect(link.state.link.counted).toBe(1);
    link.wait(QUARTER);
    expect(link.tryOpen("ada", "later")).toEqual({ ok: false, code: "LEASE_NEEDED" });
  });

  it("in parts counts when the last of them arrives, in whatever order", () => {
    const link = new Link(2);
    link.take("ada");
    const [first, second, third] = [link.open("ada", 0, 400), link.open("ada", 400, 700), link.open("ada", 700)];
    link.end("ada", third, 1000);
    link.end("ada", first, 400);
    expect(link.state.link.counted).toBe(0);
    link.end("ada", second, 700);
    expect(link.state.link.counted).toBe(1);
  });

  it("that broke off and went on counts, whichever of the two is noticed first", () => {
    for (const isNoticedFirst of [true, false]) {
      const link = new Link(2);
      link.take("ada");
      const broken = link.open("ada");
      if (isNoticedFirst) link.end("ada", broken, 600, 700);
      const next = link.open("ada", 650);
      if (!isNoticedFirst) link.end("ada", broken, 600, 700);
      link.end("ada", next, 1000);
      expect(link.state.link.counted).toBe(1);
    }
  });

  it("that skips bytes that were never sent does not count", () => {
    for (const from of [599, 600, 650, 700, 701]) {
      const link = new Link(2);
      link.take("ada");
      link.end("ada", link.open("ada"), 600, 700);
      link.end("ada", link.open("ada", from), 1000);
      expect([from, link.state.link.counted]).toEqual([from, from < 700 ? 1 : 0]);
    }
  });

  it("counts once although its reports are repeated, and mixed with others", () => {
    const link = new Link(3);
    link.take("ada");
    const response = link.open("ada");
    for (let round = 0; round < 3; round += 1) {
      expect(link.tryOpen("ada", response)).toEqual({ ok: true });
      link.end("ada", response, SIZE_BYTES);
      link.end("ada", "unknown", SIZE_BYTES);
      link.end("ben", response, SIZE_BYTES);
    }
    expect(link.state.link.counted).toBe(1);
  });

  it("whose report comes after its place was given away counts when there is a place again", () => {
    const link = new Link(1);
    link.take("ada");
    const response = link.open("ada");
    link.wait(QUARTER);
    link.take("ben");
    link.end("ada", response, SIZE_BYTES);
    expect(link.state.link.counted).toBe(0);
    expect(link.take("ada")).toMatch(/^DOWNLOADS_BUSY/);
    link.wait(QUARTER);
    expect(link.take("ada")).toMatchObject({ left: 1 });
    expect(link.state.link.counted).toBe(1);
  });

  it("that breaks off a thousand times may still go on", () => {
    const link = new Link(1);
    link.take("ada");
    for (let at = 0; at < 999; at += 1) link.end("ada", link.open("ada", at), at + 1, at + 2);
    link.end("ada", link.open("ada", 999), SIZE_BYTES);
    expect(link.state.link.counted).toBe(1);
  });

  it("cannot note ranges without end", () => {
    const link = new Link(1);
    link.take("ada");
    for (let at = 0; at < 500; at += 1) link.open("ada", 2 * at, 2 * at + 1);
    for (let at = 0; at < 500; at += 1) link.open("ada", 0);
    expect(link.tryOpen("ada", "one more")).toEqual({ ok: false, code: "TOO_MANY_RANGES" });
  });
});

describe("unfinished copies", () => {
  /** All of it but the last byte. */
  function copy(link: Link, who: string, isReported = true): void {
    expect(link.take(who)).toMatchObject({ left: 2 });
    const response = link.open(who);
    if (isReported) link.end(who, response, SIZE_BYTES - 1);
    link.wait(QUARTER);
  }

  it("are three more than the limit, then the link waits for its owner", () => {
    const link = new Link(2);
    for (let bot = 0; bot < 5; bot += 1) copy(link, `bot ${bot}`, bot % 2 === 0);
    expect(link.take("ada")).toBe("ATTEMPTS_USED_UP");
    // They stay counted when their leases are forgotten.
    link.wait(DAY_MS);
    expect(link.state.leases.size).toBe(0);
    expect(link.take("ada")).toBe("ATTEMPTS_USED_UP");
    link.state = gate.letGoOn(link.state, link.now);
    expect(link.take("ada")).toMatchObject({ left: 2 });
  });

  it("become a download when their browser goes on", () => {
    const link = new Link(2);
    for (let bot = 0; bot < 5; bot += 1) copy(link, `bot ${bot}`);
    expect(link.take("bot 4")).toMatchObject({ left: 2 });
    link.end("bot 4", link.open("bot 4", SIZE_BYTES - 1), SIZE_BYTES);
    expect(link.state.link.counted).toBe(1);
    expect(link.take("ada")).toMatchObject({ left: 1 });
  });

  it.each([
    { bytes: 1, visitors: 500 },
    { bytes: 10, visitors: 399 },
    { bytes: 499, visitors: 8 },
    { bytes: 500, visitors: 3 },
  ])("add up: $visitors visitors who take $bytes of 1000 bytes leave room for one more", ({ bytes, visitors }) => {
    const link = new Link(1);
    const visit = (visitor: number) => {
      expect(link.take(`visitor ${visitor}`)).toMatchObject({ left: 1 });
      link.end(`visitor ${visitor}`, link.open(`visitor ${visitor}`), bytes);
      link.wait(QUARTER);
    };
    for (let visitor = 0; visitor < visitors; visitor += 1) visit(visitor);
    visit(visitors);
    if (bytes > 1) expect(link.take("ada")).toBe("ATTEMPTS_USED_UP");
    else expect(link.take("ada")).toMatchObject({ left: 1 });
  });
});

describe("the end", () => {
  it("comes for others at once, and for the link when its last lease has closed", () => {
    const link = new Link(1);
    link.take("ada");
    const response = link.open("ada");
    link.wait(MINUTE_MS);
    link.end("ada", response, SIZE_BYTES);
    expect(link.take("ben")).toBe("DOWNLOADS_USED_UP");
    expect(link.take("ada")).toMatchObject({ left: 0 });
    expect(link.state.link).toMatchObject({ endedAt: MINUTE_MS, closedAt: null });
    link.wait(HOUR_MS - 1);
    expect(link.state.link.closedAt).toBeNull();
    link.wait(1);
    expect(link.state.link.closedAt).toBe(MINUTE_MS + HOUR_MS);
  });

  it("is taken back by a higher limit, until it has closed", () => {
    const link = new Link(1);
    link.download("ada");
    expect(link.setLimit(2)).toBe(true);
    expect(link.take("ben")).toMatchObject({ left: 1 });
    link.download("ben");
    link.wait(HOUR_MS);
    expect(link.setLimit(3)).toBe(false);
    expect(link.take("cy")).toBe("DOWNLOADS_USED_UP");
  });

  it("comes with a lower limit, and leases go on", () => {
    const link = new Link(3);
    link.download("ada");
    link.take("ben");
    const response = link.open("ben");
    expect(link.setLimit(1)).toBe(true);
    expect(link.take("cy")).toBe("DOWNLOADS_USED_UP");
    link.end("ben", response, SIZE_BYTES);
    expect(link.state.link).toMatchObject({ limit: 1, counted: 2 });
  });

  it("is known from the start of a gate whose link was used up before", () => {
    const link = new Link(2, 2);
    expect(link.take("ada")).toBe("DOWNLOADS_USED_UP");
  });
});

describe("a reader who goes on inside what was under way, again and again", () => {
  it("has perhaps had all of it, so free copies come to an end", () => {
    const link = new Link(1);
    for (let copy = 1; copy <= 4; copy += 1) {
      const who = `reader ${copy}`;
      expect(link.take(who)).toMatchObject({ left: 1 });
      // Reads a stretch but for its last byte, and pretends to go on from its second.
      for (let from = 0; from < SIZE_BYTES; from += 100) {
        link.end(who, link.open(who, from), from, from + 100);
        link.end(who, link.open(who, from + 1, from + 2), from + 2);
      }
      link.wait(QUARTER);
    }
    expect(link.take("reader 5")).toBe("ATTEMPTS_USED_UP");
  });
});

describe("a program without cookies, which comes under another id each time,", () => {
  const CLIENT = "the client  ";

  it("gets the lease that it has not finished, and is counted once", () => {
    const link = new Link(1);
    link.take(`${CLIENT}1`);
    link.end(`${CLIENT}1`, link.open(`${CLIENT}1`), 400);
    expect(gate.take(link.state, `${CLIENT}2`, link.now).answer).toMatchObject({ ok: true, lease: `${CLIENT}1` });
    expect(gate.take(link.state, "another one 2", link.now).answer).toMatchObject({ code: "DOWNLOADS_BUSY" });
    link.end(`${CLIENT}1`, link.open(`${CLIENT}1`, 400), SIZE_BYTES);
    expect(link.state.link.counted).toBe(1);
  });

  it("gets it back after it has lapsed, without room for another copy", () => {
    const link = new Link(1);
    link.take(`${CLIENT}1`);
    link.end(`${CLIENT}1`, link.open(`${CLIENT}1`), 900);
    link.wait(HOUR_MS);
    expect(gate.take(link.state, `${CLIENT}2`, link.now).answer).toMatchObject({ ok: true, lease: `${CLIENT}1` });
  });

  it("takes another download once it has finished one", () => {
    const link = new Link(2);
    link.download(`${CLIENT}1`);
    link.download(`${CLIENT}2`);
    expect(link.state.link.counted).toBe(2);
    expect(link.take(`${CLIENT}3`)).toBe("DOWNLOADS_USED_UP");
  });
});
