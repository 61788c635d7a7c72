import { env } from "cloudflare:workers";
import { between, withMethods } from "./between.ts";

/**
 * A database whose replicas hear of no more changes: what a reading request has asked once is answered the same for
 * ever. Requests that change something, and whoever asks outside of a session, reach the primary.
 */
export function withStoppedReplica(): D1Database {
  const answers = new Map<string, unknown>();
  return withMethods(env.DB, (name, call) => {
    if (name !== "withSession") return call;
    return (constraint) => {
      const session = call(constraint) as D1DatabaseSession;
      if (constraint === "first-primary") return session;
      return between(session, async (queries, go) => {
        const asked = JSON.stringify(queries.map(({ text, values }) => [text, values]));
        if (!answers.has(asked)) answers.set(asked, await go());
        const answer = answers.get(asked);
        return isResult(answer) ? { ...answer, meta: { ...answer.meta, served_by_primary: false } } : answer;
      });
    };
  });
}

function isResult(answer: unknown): answer is D1Result {
  return typeof answer === "object" && answer !== null && "meta" in answer;
}
