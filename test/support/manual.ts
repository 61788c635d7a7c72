import type { PlanId } from "#domain/plans.ts";
import type { CurrentPlan } from "#domain/wire.ts";
import { Client, signUp } from "./worker.ts";

/** Somebody in manual mode, on the free plan or on the one that they chose. */
export async function manual(planType?: PlanId): Promise<Client & { email: string }> {
  const person = await signUp();
  if (planType === undefined) return person;
  const response = await person.post("/api/subscription/checkout", { planType });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return person;
}

/** The plan that a person has. */
export async function planOf(person: Client): Promise<CurrentPlan> {
  return (await person.fetch("/api/subscription/current-plan")).json();
}
