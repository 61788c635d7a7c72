/**
 * The rules of a limited link once more, for comparison: minute by minute, with a set of bytes for each lease that is
 * worked out from all that was sent.
 */

export interface ModelRange {
  response: string;
  resource: string;
  from: number;
  to: number;
}

interface Sent extends ModelRange {
  openedAs: number;
  handedTo: number;
  end: { as: number; underWayTo: number } | null;
}

interface Person {
  place: "held" | "counted" | "lapsed";
  minutes: { taken: number; silent: number; finished: number; lapsed: number };
  hasFinished: boolean;
  /** Bytes. */
  lost: number;
  sent: Sent[];
}

const QUARTER = 15;
const HOUR = 60;
const DAY = 24 * 60;

export class GateModel {
  counted = 0;
  isEnded = false;
  isClosed = false;
  readonly people = new Map<string, Person>();
  #limit: number;
  #forgotten = 0;
  #calls = 0;
  readonly #files: Record<string, [first: number, count: number][]>;
  readonly #sizeBytes: number;

  constructor(limit: number, sizeBytes: number, files: Record<string, [first: number, count: number][]>) {
    this.#limit = limit;
    this.#sizeBytes = sizeBytes;
    this.#files = files;
  }

  get held(): number {
    return this.#standing("held").length;
  }

  get copies(): number {
    return this.#copiesWithout(undefined);
  }

  wait(minutes: number): void {
    for (let minute = 0; minute < minutes; minute += 1) for (const id of this.people.keys()) this.#age(id);
    this.#closeIfOver();
  }

  take(id: string): { ok: true; left: number } | string {
    const person = this.people.get(id);
    if (person && person.place !== "lapsed") {
      person.minutes.silent = 0;
      return { ok: true, left: Math.max(0, this.#limit - this.counted - this.held + Number(person.place === "held")) };
    }
    if (this.isEnded) return "DOWNLOADS_USED_UP";
    const others = this.#copiesWithout(person);
    if (others > this.#limit + 2) return "ATTEMPTS_USED_UP";
    const left = this.#limit - this.counted - this.held;
    if (left < 1 || others + this.held + 1 > this.#limit + 3) return "DOWNLOADS_BUSY";
    const taken: Person = {
      place: "held",
      minutes: { taken: 0, silent: 0, finished: person?.minutes.finished ?? 0, lapsed: 0 },
      hasFinished: person?.hasFinished ?? false,
      lost: 0,
      sent: person?.sent ?? [],
    };
    this.people.set(id, taken);
    if (taken.hasFinished) this.#count(taken);
    return { ok: true, left };
  }

  open(id: string, range: ModelRange): boolean {
    const person = this.people.get(id);
    if (!person || person.place === "lapsed") return false;
    person.minutes.silent = 0;
    if (person.sent.some(({ response }) => response === range.response)) return true;
    this.#change(person, range.resource, () => {
      person.sent.push({ ...range, openedAs: (this.#calls += 1), handedTo: range.from, end: null });
    });
    return true;
  }

  renew(id: string, response: string, handedTo: number): boolean {
    const person = this.people.get(id);
    const sent = person?.sent.find((each) => each.response === response && each.end === null);
    if (!person || person.place === "lapsed" || !sent) return false;
    person.minutes.silent = 0;
    this.#change(person, sent.resource, () => {
      advance(sent, handedTo);
    });
    return true;
  }

  ended(id: string, response: string, handedTo: number, underWayTo: number): void {
    const person = this.people.get(id);
    const sent = person?.sent.find((each) => each.response === response && each.end === null);
    if (!person || !sent) return;
    this.#change(person, sent.resource, () => {
      advance(sent, handedTo);
      sent.end = { as: (this.#calls += 1), underWayTo: Math.min(underWayTo, sent.to) };
    });
    if (person.place === "lapsed") person.lost = Math.min(person.lost, this.#lostTo(person));
  }

  setLimit(limit: number): boolean {
    if (this.isClosed) return false;
    this.#limit = limit;
    this.isEnded = this.counted >= limit;
    this.#closeIfOver();
    return true;
  }

  letGoOn(): void {
    this.#forgotten = 0;
    for (const person of this.people.values()) person.lost = 0;
  }

  /** Bytes, named "resource byte". @param perhaps also those that may have been handed over */
  bytesOf(id: string, perhaps: boolean): Set<string> {
    return bytesHad(this.people.get(id)?.sent ?? [], perhaps);
  }

  #standing(place: Person["place"]): Person[] {
    return [...this.people.values()].filter((person) => person.place === place);
  }

  #age(id: string): void {
    const person = this.people.get(id);
    if (!person) return;
    const { minutes } = person;
    for (const clock of ["taken", "silent", "finished", "lapsed"] as const) minutes[clock] += 1;
    if (person.place === "lapsed" && minutes.lapsed >= DAY) {
      this.#forgotten += person.lost;
      this.people.delete(id);
    }
    const isOver = minutes.silent >= QUARTER || minutes.taken >= DAY;
    if (person.place === "counted" && isOver && minutes.finished >= HOUR) this.people.delete(id);
    if (person.place === "held" && isOver) {
      person.place = "lapsed";
      minutes.lapsed = 0;
      person.lost = this.#lostTo(person);
      if (bytesHad(person.sent, true).size === 0) this.people.delete(id);
    }
  }

  #lostTo({ sent }: Person): number {
    const { size } = bytesHad(sent, true);
    return size >= this.#sizeBytes / 2 ? this.#sizeBytes : size;
  }

  #copiesWithout(person: Person | undefined): number {
    let lost = this.#forgotten;
    for (const other of this.people.values()) if (other !== person) lost += other.lost;
    let copies = 0;
    for (; lost >= this.#sizeBytes; lost -= this.#sizeBytes) copies += 1;
    return copies;
  }

  /** Makes the change, and counts whoever finished a file by it. */
  #change(person: Person, resource: string, make: () => void): void {
    const before = this.#finishedFiles(person, resource);
    make();
    const after = this.#finishedFiles(person, resource);
    const isEmpty = this.#files[resource]?.every(([, count]) => count === 0) ?? false;
    if (isEmpty ? person.hasFinished : after <= before) return;
    person.hasFinished = true;
    person.minutes.finished = 0;
    if (person.place === "counted") return;
    if (person.place === "held" || this.counted + this.held < this.#limit) this.#count(person);
  }

  #finishedFiles({ sent }: Person, resource: string): number {
    const had = bytesHad(sent, false);
    return (this.#files[resource] ?? []).filter(([first, count]) =>
      Array.from({ length: count }, (_, at) => `${resource} ${first + at}`).every((byte) => had.has(byte)),
    ).length;
  }

  #count(person: Person): void {
    person.place = "counted";
    person.lost = 0;
    this.counted += 1;
    if (this.counted >= this.#limit) this.isEnded = true;
  }

  #closeIfOver(): void {
    if (this.isEnded && this.held + this.#standing("counted").length === 0) this.isClosed = true;
  }
}

function advance(sent: Sent, handedTo: number): void {
  sent.handedTo = Math.max(sent.handedTo, Math.min(handedTo, sent.to));
}

function bytesHad(sent: Sent[], perhaps: boolean): Set<string> {
  const had = new Set<string>();
  for (const each of sent) {
    const resumedAt = resumePoint(each, sent);
    const uncertainTo = each.end === null ? each.to : Math.max(each.end.underWayTo, each.handedTo);
    const to = perhaps ? uncertainTo : (resumedAt ?? each.handedTo);
    for (let byte = each.from; byte < to; byte += 1) had.add(`${each.resource} ${byte}`);
  }
  return had;
}

/** Where its reader went on inside what was under way: the furthest point before the end was noticed, else the next. */
function resumePoint({ resource, openedAs, handedTo, end }: Sent, sent: Sent[]): number | null {
  if (end === null) return null;
  const later = sent.filter((other) => other.resource === resource && other.openedAs > openedAs);
  const inside = later.filter(({ from }) => handedTo < from && from < end.underWayTo);
  const before = inside.filter((other) => other.openedAs < end.as);
  if (before.length > 0) return Math.max(...before.map(({ from }) => from));
  return inside[0]?.from ?? null;
}
