import Stripe from "stripe";
import { setUpStripe } from "../../../scripts/stripe-setup.ts";
import { startStripeDouble } from "./server.ts";

/**
 * Starts Stripe's double for browser tests, sets it up like a real account, and delivers its events to the local system.
 * STRIPE_DOUBLE_PORT is its port, APP_ORIGIN the local system.
 */
const { STRIPE_DOUBLE_PORT = "", APP_ORIGIN = "", STRIPE_SECRET_KEY = "", STRIPE_WEBHOOK_SECRET = "" } = process.env;
await startStripeDouble({
  port: Number(STRIPE_DOUBLE_PORT),
  secretKey: STRIPE_SECRET_KEY,
  webhookSecret: STRIPE_WEBHOOK_SECRET,
  delivers: true,
});
const stripe = new Stripe(STRIPE_SECRET_KEY, { protocol: "http", host: "localhost", port: STRIPE_DOUBLE_PORT });
await setUpStripe(stripe, APP_ORIGIN);
