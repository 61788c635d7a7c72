import { sql } from "drizzle-orm";
import { passkeys, secondFactors, users } from "./schema.ts";

/**
 * For a select from `users`: what a person can show besides a password. The columns are named with their tables, because
 * Drizzle leaves the tables out where it selects from one alone.
 */
export const FACTOR_COLUMNS = {
  hasSecondFactor: sql`exists (select 1 from ${secondFactors}
    where ${secondFactors}.user_id = ${users}.id and ${secondFactors}.confirmed_at is not null)`.mapWith(Boolean),
  hasPasskey: sql`exists (select 1 from ${passkeys} where ${passkeys}.user_id = ${users}.id)`.mapWith(Boolean),
};
