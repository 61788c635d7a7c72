import Stripe from "stripe";
import type { TestProject } from "vitest/node";
import { setUpStripe } from "../../scripts/stripe-setup.ts";
import { startStripeDouble } from "./stripe-double/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    stripeApiUrl: string;
  }
}

/** Starts the Stripe double for tests in workerd, which cannot start servers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const secrets = { secretKey: "sk_test_double", webhookSecret: "whsec_double" };
  const double = await startStripeDouble({ port: 0, ...secrets, delivers: false });
  const { port } = new URL(double.origin);
  const stripe = new Stripe(secrets.secretKey, { protocol: "http", host: "localhost", port });
  await setUpStripe(stripe, "http://localhost:8787");
  project.provide("stripeApiUrl", double.origin);
  return () => double.close();
}
