import { expect, it } from "vitest";
import { CALL_LIMITS, type RateLimitRule, type RoughRule } from "#domain/rate-limits.ts";
import { readConfig } from "../../scripts/wrangler-config.ts";

const RULES: [string, RateLimitRule | RoughRule][] = Object.entries(CALL_LIMITS).flatMap(([call, rules]) =>
  rules.map((rule): [string, RateLimitRule | RoughRule] => [call, rule]),
);
const ROUGH = RULES.filter(([, rule]) => "countedBy" in rule);

it("wrangler.toml has a binding for each number of calls that is counted roughly, and no other", () => {
  const numbers = new Set(ROUGH.map(([, { maxCalls }]) => maxCalls));
  const expected = [...numbers]
    .sort((one, other) => one - other)
    .map((limit) => ({ name: `PER_MINUTE_${limit}`, namespace_id: String(limit), simple: { limit, period: 60 } }));
  expect(readConfig().ratelimits).toEqual(expected);
});

it("limits that are counted roughly are those that keep load off, each a minute long [LIM-20]", () => {
  expect(ROUGH.map(([call, { by, maxCalls, windowMs }]) => [call, by, maxCalls, windowMs])).toEqual([
    ["v1", "key", 300, 60_000],
    ["v1", "account", 900, 60_000],
    ["downloadInfo", "address", 60, 60_000],
    ["listEntries", "address", 120, 60_000],
    ["archive", "address", 300, 60_000],
    ["readRequest", "address", 60, 60_000],
    ["health", "address", 60, 60_000],
  ]);
});
