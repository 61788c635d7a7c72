import type { PlanId } from "#domain/plans.ts";
import type { CurrentPlan } from "#domain/wire.ts";
import { Client, signUp } from "./worker.ts";

/** Signs up a user under manual billing, who then chooses the plan, if one is given. */
export async function signUpManual(planType?: PlanId): Promise<Client & { email: string }> {
  const person = await signUp();
  if (planType === undefined) return person;
  const response = await person.post("/api/subscription/checkout", { planType });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return person;
}

export async function planOf(person: Client): Promise<CurrentPlan> {
  return (await person.fetch("/api/subscription/current-plan")).json();
}
