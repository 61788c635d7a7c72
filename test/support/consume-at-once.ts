import { createMessageBatch } from "cloudflare:test";
import { consume } from "#worker/consume.ts";
import { servicesFor } from "#worker/services.ts";
import { wrapMethods } from "./query-interceptor.ts";

/**
 * Lets an environment consume the messages that it sends, each at once: the local queues hand them to the Worker with the
 * default settings. Messages that are retried do not come again.
 * @param onSend called with the number of messages
 */
export function consumeAtOnce(environment: Env, onSend: (messages: number) => void = () => undefined): void {
  const receive = async (queue: string, bodies: unknown[]) => {
    onSend(bodies.length);
    const messages = bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }));
    await consume(servicesFor(environment), createMessageBatch(queue, messages));
  };
  for (const name of ["DOWNLOADS", "MAILS", "NOTICES", "WEBHOOKS", "CHECKS"] as const) {
    const queue = `mayfly-${name.toLowerCase()}`;
    environment[name] = wrapMethods(environment[name], (method, call) => {
      if (method === "send") return (body) => receive(queue, [body]);
      if (method !== "sendBatch") return call;
      return (messages) =>
        receive(
          queue,
          Array.from(messages as Iterable<{ body: unknown }>, ({ body }) => body),
        );
    });
  }
}
