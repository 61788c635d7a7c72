import { setTimeout as wait } from "node:timers/promises";
import type { UploadProgress } from "#domain/wire.ts";
import type { Ask, Guests, Received, Talk } from "./crowd.ts";
import { Guest } from "./guest.ts";

/** The process of `Crowd`. Each message ends with a number that identifies it. */

const OPENING_AT_ONCE = 20;
/** No message for this long means that none will come. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

const DIGITS = 6;
const END = '"}'.length;
const KIND_AT = '{"type":"'.length;
const KIND = "u".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

const present: { guest: Guest; isSender: boolean }[] = [];

process.on("message", (ask: Ask) => {
  const done = ask.kind === "gather" ? gather(ask.guests) : talk(ask.talk);
  // An unhandled rejection ends the process with its reason.
  void done.then((answer) => process.send?.(answer));
});

async function gather({ origin, downloadId, cookie, senders, watchers }: Guests): Promise<string> {
  for (const { guest } of present.splice(0)) guest.leave();
  const url = new URL(`/ws?id=${downloadId}`, origin);
  const roles = Array.from({ length: senders + watchers }, (_, index) => index < senders).values();
  const opening = async () => {
    for (const isSender of roles) {
      present.push({ guest: await Guest.open(url, isSender ? { cookie } : {}), isSender });
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, opening));
  return "everybody is there";
}

async function talk({ times, everyMs }: Talk): Promise<Received> {
  const senders = present.filter(({ isSender }) => isSender);
  const watchers = present.filter(({ isSender }) => !isSender);
  const messages = times * senders.length;
  const ledger = new Ledger(messages, watchers.length);
  for (const { guest } of senders) guest.listen(() => undefined);
  for (const { guest } of watchers) ledger.keepFor(guest);
  const started = performance.now();
  for (let number = 0; number < messages; number += 1) {
    await wait(Math.max(0, started + (number * everyMs) / senders.length - performance.now()));
    ledger.left(number);
    senders[number % senders.length]?.guest.send(progressMessage(number));
  }
  while (!ledger.isFull && performance.now() - ledger.lastAt < PATIENCE_MS) await wait(LOOK_EVERY_MS);
  return ledger.sum();
}

function progressMessage(number: number): string {
  return JSON.stringify({
    type: "upload_progress",
    uploadId: "",
    filename: "",
    progress: number % 101,
    statusMessage: String(number).padStart(DIGITS, "0"),
  } satisfies UploadProgress);
}

class Ledger {
  readonly #watchers: number;
  readonly #sentAt: Float64Array;
  readonly #slowestMs: Float64Array;
  readonly #awaited: Uint32Array;
  #awaitedOfAll: number;
  #late = 0;
  #frames = 0;
  lastAt = performance.now();

  constructor(messages: number, watchers: number) {
    this.#watchers = watchers;
    this.#sentAt = new Float64Array(messages);
    this.#slowestMs = new Float64Array(messages).fill(NaN);
    this.#awaited = new Uint32Array(messages).fill(watchers);
    this.#awaitedOfAll = messages * watchers;
  }

  get isFull(): boolean {
    return this.#awaitedOfAll === 0;
  }

  left(number: number): void {
    this.#sentAt[number] = performance.now();
  }

  keepFor(guest: Guest): void {
    let next = 0;
    guest.listen((bytes, start, end) => {
      if (bytes[start + KIND_AT] !== KIND) return;
      let number = 0;
      for (let at = end - END - DIGITS; at < end - END; at += 1) number = number * 10 + (bytes[at] ?? 0) - ZERO;
      this.#frames += 1;
      if (number < next) this.#late += 1;
      for (; next <= number; next += 1) this.#handleMessage(next);
    });
  }

  #handleMessage(number: number): void {
    const awaited = (this.#awaited[number] ?? 0) - 1;
    this.#awaited[number] = awaited;
    this.#awaitedOfAll -= 1;
    if (awaited > 0) return;
    this.lastAt = performance.now();
    this.#slowestMs[number] = this.lastAt - (this.#sentAt[number] ?? NaN);
  }

  sum(): Received {
    return {
      sent: this.#awaited.length * this.#watchers,
      lost: this.#awaitedOfAll,
      late: this.#late,
      frames: this.#frames,
      durationMs: this.lastAt - (this.#sentAt[0] ?? NaN),
      slowestMs: [...this.#slowestMs].filter((ms) => !Number.isNaN(ms)),
    };
  }
}
