import { MIB, SECOND_MS } from "#domain/units.ts";

/** The faults of a line, and how often they come. Moments are drawn from a seed and count from a body's first byte. */
type Fault =
  /** One connection in the middle of a body is reset about this often. */
  | { kind: "resets"; everyMs: number }
  /** One connection in the middle of a body carries nothing for `lastsMs`. */
  | { kind: "stall"; aboutMs: number; lastsMs: number }
  /** No connection carries anything for `lastsMs`. */
  | { kind: "outage"; aboutMs: number; lastsMs: number };

/** A person's connection to the internet. */
export interface LineShape {
  name: string;
  /** The rates of the line in each direction, for all connections together, in megabits a second (base 1000). */
  rates: { fromMs: number; megabits: number }[];
  /** The time to the server and back. */
  roundTripMs: number;
  /** The most bytes of one connection that are on their way: more are sent only after an acknowledgement. */
  windowBytes: number;
  faults: Fault[];
  /** The size of the file, which takes 20 to 40 seconds on this line. */
  fileBytes: number;
}

/** A new connection of TCP takes one round trip before its first byte. */
export const TCP_ROUND_TRIPS = 1;
/** A new connection over TLS 1.3 takes two round trips before its first request: https://www.rfc-editor.org/rfc/rfc8446#section-2 */
export const HANDSHAKE_ROUND_TRIPS = 2;

const always = (megabits: number) => [{ fromMs: 0, megabits }];

export const LINES: readonly LineShape[] = [
  {
    name: "home",
    rates: always(20),
    roundTripMs: 60,
    windowBytes: MIB,
    faults: [],
    fileBytes: 64 * MIB,
  },
  {
    name: "office",
    rates: always(100),
    roundTripMs: 40,
    windowBytes: MIB,
    faults: [],
    fileBytes: 288 * MIB,
  },
  {
    name: "long",
    rates: always(400),
    roundTripMs: 150,
    windowBytes: 2 * MIB,
    faults: [],
    fileBytes: 960 * MIB,
  },
  {
    name: "bad",
    rates: always(50),
    roundTripMs: 300,
    windowBytes: MIB,
    faults: [{ kind: "resets", everyMs: 20 * SECOND_MS }],
    fileBytes: 208 * MIB,
  },
  {
    name: "shaky",
    rates: always(50),
    roundTripMs: 60,
    windowBytes: MIB,
    faults: [
      { kind: "stall", aboutMs: 5 * SECOND_MS, lastsMs: 45 * SECOND_MS },
      { kind: "outage", aboutMs: 14 * SECOND_MS, lastsMs: 5 * SECOND_MS },
    ],
    fileBytes: 144 * MIB,
  },
  {
    name: "phone",
    rates: [
      { fromMs: 0, megabits: 40 },
      { fromMs: 8 * SECOND_MS, megabits: 2 },
      { fromMs: 16 * SECOND_MS, megabits: 40 },
    ],
    roundTripMs: 80,
    windowBytes: MIB,
    faults: [],
    fileBytes: 88 * MIB,
  },
];
