import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { found, Refusal, type Account, type Queue } from "./account.ts";
import type { Call, Handler } from "./handler.ts";

const seconds = z.int().check(z.gte(0), z.lte(43_200));
const SHAPES = {
  queue: z.strictObject({
    queue_name: z.string().check(z.regex(/^[a-z0-9-]{1,63}$/)),
    jurisdiction: z.optional(z.enum(["eu", "us", "fedramp"])),
  }),
  consumer: z.strictObject({
    type: z.literal("worker"),
    script_name: z.string(),
    dead_letter_queue: z.optional(z.string()),
    settings: z.strictObject({
      batch_size: z.optional(z.int().check(z.gte(1), z.lte(100))),
      max_retries: z.optional(z.int().check(z.gte(0), z.lte(100))),
      max_wait_time_ms: z.optional(z.int().check(z.gte(0), z.lte(60_000))),
      max_concurrency: z.optional(z.int().check(z.gte(1), z.lte(250))),
      retry_delay: z.optional(seconds),
    }),
  }),
};

/** The calls of Queues, below `/accounts/:account`. */
export const QUEUES: Record<string, Handler> = {
  "GET /queues": ({ account, query }) => {
    const names = query.getAll("name");
    return [...account.queues].filter(([, { name }]) => names.includes(name)).map(([id, queue]) => describe(id, queue));
  },
  "POST /queues": ({ account, json }) => {
    const { queue_name, jurisdiction } = json(SHAPES.queue);
    if (findQueue(account, queue_name)) {
      throw new Refusal(409, 11009, `Queue name '${queue_name}' is already taken.`, true);
    }
    const id = randomUUID();
    const queue = { name: queue_name, place: { jurisdiction }, consumer: null };
    account.queues.set(id, queue);
    return describe(id, queue);
  },
  "POST /queues/:id/consumers": (call) => setConsumer(call, null),
  "PUT /queues/:id/consumers/[a-z0-9-]+": (call) => setConsumer(call, queueOf(call).consumer),
};

export function findQueue({ queues }: Account, name: string): Queue | undefined {
  return [...queues.values()].find((queue) => queue.name === name);
}

function queueOf({ account, id }: Call): Queue {
  return found(account.queues.get(id), 11000, "Queue not found.");
}

/** @throws Refusal with a fault if the dead letters have no queue, or another consumer is there */
function setConsumer(call: Call, former: Queue["consumer"]): object {
  const { script_name: script, dead_letter_queue: deadLetters, settings } = call.json(SHAPES.consumer);
  const queue = queueOf(call);
  if (deadLetters !== undefined && !findQueue(call.account, deadLetters)) {
    throw new Refusal(404, 11000, `Queue ${deadLetters} not found.`, true);
  }
  if (queue.consumer !== former) throw new Refusal(409, 11004, "Queue already has a consumer.", true);
  queue.consumer = { id: former?.id ?? randomUUID(), script, deadLetters, settings };
  return {};
}

function describe(id: string, { name, consumer }: Queue): object {
  return {
    queue_id: id,
    queue_name: name,
    producers: [],
    producers_total_count: 0,
    consumers: consumer ? [{ type: "worker", consumer_id: consumer.id, script: consumer.script }] : [],
    consumers_total_count: consumer ? 1 : 0,
  };
}
