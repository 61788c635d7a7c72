import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { Terminal } from "./terminal.ts";

const API = "https://api.cloudflare.com/client/v4";
const BY_HAND = 'Set them by hand: docs/operations.md, "Settings of the zone".';

interface ZoneRule {
  description: string;
  expression: string;
  action: "set_config";
  action_parameters: object;
}

/**
 * Configuration rules: what a zone does to requests and pages, overridden for this site. Each rule is found again by
 * its description. With the first rule, programs may leave out headers that browsers send; with the second rule,
 * nothing is put into pages.
 * @see https://developers.cloudflare.com/rules/configuration-rules/settings/
 */
function zoneRules(hostname: string): ZoneRule[] {
  const path = "http.request.uri.path";
  const calls = ["/api/v1/", "/api/stripe/", "/unsubscribe/"].map((start) => `starts_with(${path}, "${start}")`);
  const sent = ['http.request.method eq "PUT"', `(http.request.method eq "POST" and ${path} eq "/")`];
  const host = `http.host eq "${hostname}"`;
  return [
    {
      description: `${PRODUCT_NAME}, programs: ${hostname}`,
      expression: `${host} and (${[...calls, ...sent].join(" or ")})`,
      action: "set_config",
      action_parameters: { bic: false },
    },
    {
      description: `${PRODUCT_NAME}, pages: ${hostname}`,
      expression: host,
      action: "set_config",
      action_parameters: { email_obfuscation: false, rocket_loader: false, disable_rum: true, disable_zaraz: true },
    },
  ];
}

const answer = z.object({ result: z.unknown() });
const zones = z.array(z.object({ id: z.string(), name: z.string() }));
const ruleset = z.object({
  id: z.string(),
  rules: z._default(
    z.array(
      z.object({
        id: z.string(),
        description: z.optional(z.string()),
        expression: z.string(),
        action_parameters: z.optional(z.unknown()),
      }),
    ),
    [],
  ),
});

class ZoneRefusal extends Error {
  readonly status: number;

  constructor(status: number, message = `Cloudflare answered ${status}`) {
    super(message);
    this.status = status;
  }
}

/**
 * Adds the configuration rules that the zone of the site lacks, and corrects rules that differ. wrangler has no command
 * for such rules, so this needs an API token with Zone: Config Rules (edit). Never fails: prints what is left to do by
 * hand.
 * @param env with CLOUDFLARE_API_TOKEN
 */
export async function prepareZone(terminal: Terminal, env: NodeJS.ProcessEnv, origin: string): Promise<void> {
  const { hostname } = new URL(origin);
  // Cloudflare's own zone has none of these settings on.
  if (hostname.endsWith(".workers.dev")) return;
  if (!env.CLOUDFLARE_API_TOKEN) {
    terminal.print(`The zone's settings are left as they are: that takes CLOUDFLARE_API_TOKEN. ${BY_HAND}`);
    return;
  }
  try {
    const written = await writeRules(env, hostname);
    if (written > 0) terminal.print(`Wrote ${written} configuration rules to the zone of ${hostname}.`);
  } catch (error) {
    const isForbidden = error instanceof ZoneRefusal && error.status === 403;
    const why = isForbidden ? "the token has no permission for Zone: Config Rules (edit)" : (error as Error).message;
    terminal.print(`The zone's settings are left as they are: ${why}. ${BY_HAND}`);
  }
}

/** @returns how many rules were missing or differed @throws ZoneRefusal */
async function writeRules(env: NodeJS.ProcessEnv, hostname: string): Promise<number> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${env.CLOUDFLARE_API_BASE_URL ?? API}${path}`, {
      method,
      headers: { authorization: `Bearer ${env.CLOUDFLARE_API_TOKEN ?? ""}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new ZoneRefusal(response.status);
    return answer.parse(await response.json()).result;
  };
  const zone = await findZone(call, hostname);
  const entrypoint = `/zones/${zone}/rulesets/phases/http_config_settings/entrypoint`;
  const present = await call("GET", entrypoint).then(ruleset.parse, (error: unknown) => {
    if (error instanceof ZoneRefusal && error.status === 404) return null;
    throw error;
  });
  const wanted = zoneRules(hostname);
  if (present === null) {
    await call("PUT", entrypoint, { rules: wanted });
    return wanted.length;
  }
  const rules = `/zones/${zone}/rulesets/${present.id}/rules`;
  let written = 0;
  for (const rule of wanted) {
    const found = present.rules.find(({ description }) => description === rule.description);
    const isSame =
      found?.expression === rule.expression && isDeepStrictEqual(found.action_parameters, rule.action_parameters);
    if (isSame) continue;
    await (found ? call("PATCH", `${rules}/${found.id}`, rule) : call("POST", rules, rule));
    written += 1;
  }
  return written;
}

/** The zone with the longest name that the host is in. @throws ZoneRefusal 404 */
async function findZone(call: (method: string, path: string) => Promise<unknown>, hostname: string): Promise<string> {
  const labels = hostname.split(".");
  for (let first = 0; first < labels.length - 1; first += 1) {
    const name = labels.slice(first).join(".");
    const [zone] = zones.parse(await call("GET", `/zones?name=${name}`));
    if (zone) return zone.id;
  }
  throw new ZoneRefusal(404, `no zone of ${hostname} is in this account`);
}
