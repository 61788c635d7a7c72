import { sql, type SQL } from "drizzle-orm";
import { accounts, passkeys } from "./schema.ts";

/** By what this deployment signs people in, besides passwords and passkeys. */
export interface OpenWays {
  providerNames: readonly string[];
  mailLinks: boolean;
}

/** What is about to go. */
type Leaving = { passkeyId: string } | { provider: string };

/** True when the account keeps a way in without what is leaving. For the statement that deletes it. */
export function hasOtherWay(userId: string, { providerNames, mailLinks }: OpenWays, leaving: Leaving): SQL {
  if (mailLinks) return sql`true`;
  const passkeyId = "passkeyId" in leaving ? leaving.passkeyId : "";
  const names = "provider" in leaving ? providerNames.filter((name) => name !== leaving.provider) : providerNames;
  return sql`(
    exists (select 1 from ${accounts} as way where way.user_id = ${userId}
      and (way.password is not null or way.provider_id in (select value from json_each(${JSON.stringify(names)}))))
    or exists (select 1 from ${passkeys} as way where way.user_id = ${userId} and way.id <> ${passkeyId}))`;
}
