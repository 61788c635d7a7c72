import { sql, type SQL, and } from "drizzle-orm";
import type { Settings } from "../settings.ts";
import type { Database } from "./client.ts";
import { accounts, passkeys, users } from "./schema.ts";

/** The ways in of this deployment, besides passwords and passkeys. */
export interface OpenWays {
  providerNames: readonly string[];
  mailLinks: boolean;
}

/** The way in that is about to be removed. */
type Leaving = { passkeyId: string } | { provider: string };

/** A condition of the statement that deletes a way in: the account keeps another way in. */
export function hasOtherWay(userId: string, { providerNames, mailLinks }: OpenWays, leaving: Leaving): SQL {
  if (mailLinks) return sql`true`;
  const passkeyId = "passkeyId" in leaving ? leaving.passkeyId : "";
  const names = "provider" in leaving ? providerNames.filter((name) => name !== leaving.provider) : providerNames;
  return sql`(
    exists (select 1 from ${accounts} as way where way.user_id = ${userId}
      and (way.password is not null or way.provider_id in (select value from json_each(${JSON.stringify(names)}))))
    or exists (select 1 from ${passkeys} as way where way.user_id = ${userId} and way.id <> ${passkeyId}))`;
}

/** The ways in that the settings of this deployment open, besides passwords and passkeys. */
export function openWays({ providers, mailLinks }: Pick<Settings, "providers" | "mailLinks">): OpenWays {
  return { providerNames: providers.map(({ name }) => name), mailLinks };
}

/**
 * The statement after which all sign-ins fail that have begun, for the batch that ends or replaces a way in, a second
 * factor or the trust in a device.
 */
export function raiseAccessRevision(db: Database, userId: SQL, condition?: SQL) {
  return db
    .update(users)
    .set({ accessRevision: sql`${users.accessRevision} + 1` })
    .where(and(sql`${users.id} = ${userId}`, condition));
}

/** Whether a living account that is not suspended has the same access revision as when its sign-in began. */
export function hasAccessRevision(userId: string, revision: number): SQL {
  return sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.deletedAt} is null
    and ${users.suspendedAt} is null and ${users.accessRevision} = ${revision})`;
}
