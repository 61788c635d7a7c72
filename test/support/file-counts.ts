import { expect } from "vitest";
import { rowOf } from "./worker.ts";

/** Compares the kept counts of an account with its rows in `files`. @param after what was done */
export async function checkCounts(userId: string, after: object): Promise<void> {
  const { kept, counted } = await rowOf<{ kept: string | null; counted: string }>(
    `select (select json_array(listed, stored, stored_bytes) from file_counts where user_id = ?1) as kept,
      (select json_array(
        ifnull(sum(deleted_at is null and (request_id is null or forwarded_at is not null)), 0),
        ifnull(sum(s3_deleted_at is null), 0),
        ifnull(sum(case when s3_deleted_at is null then size end), 0))
       from files where user_id = ?1 and status = 'ready') as counted`,
    userId,
  );
  expect(kept ?? "[0,0,0]", `the counts after ${JSON.stringify(after)}`).toBe(counted);
}
