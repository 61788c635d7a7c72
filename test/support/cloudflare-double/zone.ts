import * as z from "zod/mini";
import { found, Refusal, type Account } from "./account.ts";
import type { Handler } from "./handler.ts";

const ZONE_ID = "a-zone";

/** The settings that a configuration rule may set, of those that a deployment needs. */
const rule = z.strictObject({
  description: z.string(),
  expression: z.string().check(z.maxLength(4096)),
  action: z.literal("set_config"),
  action_parameters: z.strictObject({
    bic: z.optional(z.boolean()),
    disable_rum: z.optional(z.literal(true)),
    disable_zaraz: z.optional(z.literal(true)),
    email_obfuscation: z.optional(z.boolean()),
    rocket_loader: z.optional(z.boolean()),
  }),
});
const ENTRYPOINT = `/zones/${ZONE_ID}/rulesets/phases/http_config_settings/entrypoint`;
const RULES = `/zones/${ZONE_ID}/rulesets/a-ruleset/rules`;

/** Calls of a zone and its configuration rules. */
export const ZONE: Record<string, Handler> = {
  "GET /zones": ({ account: { zone }, query }) =>
    query.get("name") === zone.name ? [{ id: ZONE_ID, name: zone.name }] : [],
  [`GET ${ENTRYPOINT}`]: ({ account }) => answer(account),
  [`PUT ${ENTRYPOINT}`]: ({ account, json }) => {
    const { rules } = json(z.strictObject({ rules: z.array(rule) }));
    openZone(account).rules = rules;
    return answer(account);
  },
  [`POST ${RULES}`]: ({ account, json }) => {
    found(openZone(account).rules ?? undefined, 10003, "could not find entrypoint ruleset").push(json(rule));
    return answer(account);
  },
  [`PATCH ${RULES}/:id`]: ({ account, id, json }) => {
    const { rules } = openZone(account);
    if (!rules?.[Number(id)]) throw new Refusal(404, 10003, "could not find the rule");
    rules[Number(id)] = json(rule);
    return answer(account);
  },
};

function openZone({ zone }: Account) {
  if (!zone.isOpen) throw new Refusal(403, 10000, "request is not authorized");
  return zone;
}

function answer(account: Account) {
  const rules = found(openZone(account).rules ?? undefined, 10003, "could not find entrypoint ruleset");
  const listed = rules.map((rule, n) => ({ ...rule, id: String(n), version: "1" }));
  return { id: "a-ruleset", phase: "http_config_settings", rules: listed };
}
