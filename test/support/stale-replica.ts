import { env } from "cloudflare:workers";
import { interceptQueries, wrapMethods } from "./query-interceptor.ts";

/**
 * A database whose replica never updates: a query in a reading session always gets its first answer. Sessions that start at
 * the primary, and queries outside of sessions, reach the primary.
 */
export function withStaleReplica(): D1Database {
  const answers = new Map<string, unknown>();
  return wrapMethods(env.DB, (name, call) => {
    if (name !== "withSession") return call;
    return (constraint) => {
      const session = call(constraint) as D1DatabaseSession;
      if (constraint === "first-primary") return session;
      return interceptQueries(session, async (queries, proceed) => {
        const key = JSON.stringify(queries.map(({ text, values }) => [text, values]));
        if (!answers.has(key)) answers.set(key, await proceed());
        const answer = answers.get(key);
        return isResult(answer) ? { ...answer, meta: { ...answer.meta, served_by_primary: false } } : answer;
      });
    };
  });
}

function isResult(answer: unknown): answer is D1Result {
  return typeof answer === "object" && answer !== null && "meta" in answer;
}
