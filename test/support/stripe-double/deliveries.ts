import { seconds, type Ledger, type StripeEvent } from "./ledger.ts";
import { signatureOf } from "./signing.ts";

const TRIES = 5;
/** Stripe waits longer before it sends an event again; this is short so that tests do not wait. */
const BETWEEN_TRIES_MS = 500;

/** Delivers events to the webhook endpoints, one at a time. Repeats an event that was not answered with 2xx. */
export class Deliveries {
  readonly #ledger: Ledger;
  readonly #secret: string;
  readonly #late = new Map<string, StripeEvent[]>();
  #queue: Promise<void> = Promise.resolve();

  constructor(ledger: Ledger, secret: string) {
    this.#ledger = ledger;
    this.#secret = secret;
    ledger.onEvent = (customer, event) => {
      const late = this.#late.get(customer);
      if (late) late.push(event);
      else this.#enqueue(event);
    };
  }

  /** Holds the customer's next events until `release`. */
  hold(customer: string): void {
    if (!this.#late.has(customer)) this.#late.set(customer, []);
  }

  /** Delivers the held events. Resolves when all deliveries are done. */
  async release(customer: string): Promise<void> {
    const events = this.#late.get(customer) ?? [];
    this.#late.delete(customer);
    for (const event of events) this.#enqueue(event);
    await this.#queue;
  }

  /** Resolves when all deliveries are done. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  #enqueue(event: StripeEvent): void {
    this.#queue = this.#queue.then(() => this.#deliver(event));
  }

  async #deliver(event: StripeEvent): Promise<void> {
    for (const { url, enabled_events: wanted } of this.#ledger.endpoints.values()) {
      if (typeof url !== "string" || !Array.isArray(wanted) || !wanted.includes(event.type)) continue;
      for (let tried = 0; tried < TRIES && !(await this.#post(url, event)); tried += 1) {
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
      }
    }
  }

  async #post(url: string, event: StripeEvent): Promise<boolean> {
    const body = JSON.stringify(event);
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": signatureOf(body, this.#secret, seconds()),
    };
    return fetch(url, { method: "POST", headers, body }).then(
      (response) => response.ok,
      () => false,
    );
  }
}
