import { expect, it } from "vitest";
import { readEnd } from "../../../cli/options.ts";

it.each([
  ["2026-12-04 18:00", new Date(2026, 11, 4, 18, 0)],
  ["2026-12-04T18:00", new Date(2026, 11, 4, 18, 0)],
  [" 2026-07-01 08:30:15 ", new Date(2026, 6, 1, 8, 30, 15)],
  ["2026-12-04T18:00:00+01:00", new Date(Date.UTC(2026, 11, 4, 17, 0))],
  ["2026-12-04 17:00z", new Date(Date.UTC(2026, 11, 4, 17, 0))],
  ["2028-02-29 00:00Z", new Date(Date.UTC(2028, 1, 29))],
])("--until %j is a local time, unless it has an offset [END-7]", (until, at) => {
  expect(readEnd({ until })).toEqual({ expiresAt: at.toISOString() });
});

it.each([
  "",
  "tomorrow",
  "18:00",
  "2026-12-04",
  "2026-12-04 25:00",
  "2026-02-30 18:00",
  "2027-02-29 18:00Z",
  "1796403600",
])("--until %j is refused with an example [END-7]", (until) => {
  expect(() => readEnd({ until })).toThrow(
    `--until takes a time such as "2026-12-04 18:00" or 2026-12-04T18:00:00+01:00, not "${until}".`,
  );
});

it("--expires and --until do not go together [END-7]", () => {
  expect(readEnd({ expires: "1d" })).toEqual({ expires: "1d" });
  expect(readEnd({})).toEqual({ expires: undefined });
  expect(() => readEnd({ expires: "1d", until: "2026-12-04 18:00" })).toThrow("Give --expires or --until, not both.");
  expect(() => readEnd({ expires: "2d" })).toThrow("--expires takes one of");
});
