import { env } from "cloudflare:workers";
import type { PlanId } from "#domain/plans.ts";
import type { CurrentPlan } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import { Client, rowOf, signUp } from "./worker.ts";

export const stripeEnv = {
  ...env,
  STRIPE_SECRET_KEY: "sk_test_double",
  STRIPE_PUBLISHABLE_KEY: "pk_test_double",
  STRIPE_WEBHOOK_SECRET: "whsec_double",
};

const api = createApp();

export function apiWith(settings: Env): (request: Request) => Response | Promise<Response> {
  return (request) => api.fetch(request, settings);
}

/** Sends a command to the Stripe double (see test/support/stripe-double/control.ts). */
export async function stripe<Answer>(name: string, order: Record<string, unknown> = {}): Promise<Answer> {
  const response = await fetch(`${env.STRIPE_API_URL}/control/${name}`, {
    method: "POST",
    body: JSON.stringify(order),
  });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  return response.json();
}

export interface StripeState {
  customer: { email: string; metadata: { userId: string }; deleted?: true } | null;
  subscriptions: { id: string; status: string; items: { data: { current_period_start: number }[] } }[];
  checkouts: { id: string; status: string; success_url: string; cancel_url: string }[];
  portals: { return_url: string; flow: { type: string } | null }[];
}

/** A user who pays through Stripe. */
export class Payer extends Client {
  readonly email: string;

  constructor(cookie: string, email: string, settings: Env = stripeEnv) {
    super(cookie, apiWith(settings));
    this.email = email;
  }

  async customer(): Promise<string> {
    const { id } = await this.row();
    return id ?? "";
  }

  row(): Promise<{
    userId: string;
    id: string | null;
    plan: PlanId;
    converting: string | null;
    bytes: number;
    start: number;
    end: number;
  }> {
    return rowOf(
      `select id as userId, stripe_customer_id as id, plan_type as plan, converting_customer_id as converting,
        monthly_upload_total as bytes, current_period_start as start, current_period_end as end
       from users where email = ?`,
      this.email,
    );
  }

  /** @returns the id of the checkout session */
  async checkout(planType: PlanId): Promise<string> {
    const response = await this.post("/api/subscription/checkout", { planType });
    const { sessionId } = await response.json<{ sessionId?: string }>();
    if (sessionId === undefined) throw new Error(`no checkout: ${response.status}`);
    return sessionId;
  }

  /** Pays for a plan and delivers the events. @returns the subscription's id */
  async buy(planType: PlanId): Promise<string> {
    await stripe("complete", { session: await this.checkout(planType) });
    await this.deliverAll();
    const { subscriptions } = await this.state();
    return subscriptions[0]?.id ?? "";
  }

  async state(): Promise<StripeState> {
    return stripe("state", { customer: await this.customer() });
  }

  async events(): Promise<SignedEvent[]> {
    return stripe("events", { customer: await this.customer() });
  }

  async deliverAll(): Promise<void> {
    for (const event of await this.events()) {
      const response = await deliver(event);
      if (!response.ok) throw new Error(`${event.type}: ${response.status} ${await response.text()}`);
    }
  }

  async plan(query = ""): Promise<CurrentPlan> {
    return (await this.fetch(`/api/subscription/current-plan${query}`)).json();
  }
}

export interface SignedEvent {
  type: string;
  body: string;
  signature: string;
}

export async function deliver({ body, signature }: Pick<SignedEvent, "body" | "signature">): Promise<Response> {
  return new Client("", apiWith(stripeEnv)).fetch("/api/stripe/webhook", {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body,
  });
}

export async function payer(settings: Env = stripeEnv): Promise<Payer> {
  const { cookie, email } = await signUp();
  return new Payer(cookie, email, settings);
}
