import { lookupKeyOf } from "#domain/stripe.ts";
import type { PlanId } from "#domain/plans.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Disturbances } from "./disturbances.ts";
import { newId, seconds, shownCheckout, type Ledger } from "./ledger.ts";
import { missing, Refusal } from "./request.ts";
import { signatureOf } from "./signing.ts";

export interface Controlled {
  ledger: Ledger;
  deliveries: Deliveries | null;
  disturbances: Disturbances;
  /** Requests that a correct client never sends. */
  faults: string[];
  webhookSecret: string;
}

interface Order {
  customer?: string;
  subscription?: string;
  session?: string;
  plan?: PlanId;
  status?: string;
  step?: string;
  paid?: boolean;
  match?: string;
  times?: number;
  body?: string;
  /** Epoch seconds. */
  at?: number;
}

/**
 * The commands that tests send to the double, each a POST of JSON to `/control/<name>`:
 * - `customer` creates a customer without an account of ours;
 * - `subscribe` starts a subscription, `live` applies a step of `Ledger.live` to it;
 * - `complete` and `expire` end a checkout, `delete-customer` deletes a customer;
 * - `portal-off` removes the customer's billing portal;
 * - `events` returns a customer's events as they would be delivered, `sign` signs a body;
 * - `late` holds a customer's deliveries, `deliver` sends them, `settled` waits until all are sent;
 * - `fail` and `hold` disturb requests that contain the text `match`, `caught` waits for a held request, `release` answers
 *   it;
 * - `state` returns what the double knows about a customer, `faults` the requests that a correct client never sends.
 */
export async function control(double: Controlled, name: string, order: Order): Promise<unknown> {
  const { ledger, deliveries, disturbances, faults, webhookSecret } = double;
  const { customer = "", match = "" } = order;
  switch (name) {
    case "customer": {
      const id = newId("cus");
      ledger.customers.set(id, { id, object: "customer", email: null, metadata: {} });
      return { id };
    }
    case "subscribe": {
      const price = ledger.priceOf(lookupKeyOf(order.plan ?? "professional"));
      return ledger.subscribe(customer, price, order.status === undefined ? {} : { status: order.status });
    }
    case "live": {
      const price = order.plan && ledger.priceOf(lookupKeyOf(order.plan));
      ledger.live(order.subscription ?? "", order.step ?? "", price);
      return {};
    }
    case "complete":
      ledger.complete(checkoutOf(ledger, order.session), order.paid ?? true);
      return {};
    case "expire":
      Object.assign(checkoutOf(ledger, order.session), { status: "expired", url: null });
      return {};
    case "delete-customer":
      return ledger.deleteCustomer(customer);
    case "portal-off":
      ledger.withoutPortal.add(customer);
      return {};
    case "events":
      return ledger.events
        .filter((known) => known.customer === customer)
        .map(({ event }) => {
          const body = JSON.stringify(event);
          return { type: event.type, body, signature: signatureOf(body, webhookSecret, seconds()) };
        });
    case "sign":
      return { signature: signatureOf(order.body ?? "", webhookSecret, order.at ?? seconds()) };
    case "late":
      deliveries?.hold(customer);
      return {};
    case "deliver":
      await deliveries?.release(customer);
      return {};
    case "settled":
      await deliveries?.settled();
      return {};
    case "fail":
      disturbances.fail(match, order.times ?? 1);
      return {};
    case "hold":
      disturbances.hold(match);
      return {};
    case "caught":
      await disturbances.caught(match);
      return {};
    case "release":
      disturbances.release(match);
      return {};
    case "state":
      return stateOf(ledger, customer);
    case "faults":
      return faults;
    default:
      throw new Refusal(404, `There is no control "${name}".`);
  }
}

function stateOf(ledger: Ledger, customer: string): object {
  const theirs = <One extends { customer: string }>(all: Map<string, One>) =>
    [...all.values()].filter((one) => one.customer === customer);
  return {
    customer: ledger.customers.get(customer) ?? null,
    subscriptions: theirs(ledger.subscriptions),
    checkouts: theirs(ledger.checkouts).map(shownCheckout),
    portals: theirs(ledger.portals),
  };
}

function checkoutOf(ledger: Ledger, id = "") {
  const checkout = ledger.checkouts.get(id);
  if (!checkout) throw missing("checkout.session", id);
  return checkout;
}
