import { MINUTE_MS } from "#domain/units.ts";
import { findWrongCounts, mendCounts } from "../db/file-counts.ts";
import { logWarning } from "../log.ts";
import type { Services } from "../services.ts";

/**
 * How many hexadecimal digits of an account's id, whose first characters are random, choose the accounts of one run.
 */
const PREFIX_DIGITS = 3;
const PREFIXES = 16 ** PREFIX_DIGITS;

/**
 * Compares the counts of accounts with their files. Each minute has its 4096th of all accounts, so that each account is
 * compared every three days. Logs and corrects counts that differ, which a change of rows by hand may cause.
 * @param now epoch milliseconds
 */
export async function checkFileCounts({ db }: Services, now: number): Promise<{ mended: number }> {
  const prefix = (Math.floor(now / MINUTE_MS) % PREFIXES).toString(16).padStart(PREFIX_DIGITS, "0");
  const wrong = await findWrongCounts(db, prefix);
  for (const counts of wrong) logWarning("file_counts.wrong", { ...counts });
  if (wrong.length > 0) {
    await mendCounts(
      db,
      wrong.map(({ userId }) => userId),
    );
  }
  return { mended: wrong.length };
}
