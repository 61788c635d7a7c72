import type { PlanId } from "#domain/plans.ts";
import { GIB, MIB } from "#domain/units.ts";
import { queryLocally } from "../local-query.ts";
import { comeIn, Person } from "./person.ts";

/** The accounts of the demo, which all have the same password. */
export const DEMO_ACCOUNTS = {
  free: "free@example.com",
  professional: "professional@example.com",
  ultimate: "ultimate@example.com",
  /** An account on the free plan that has used up its month. */
  usedUp: "used-up@example.com",
  administrator: "administrator@example.com",
} as const;

export interface DemoPeople {
  free: Person;
  professional: Person;
  ultimate: Person;
  /** A person who is signed in to the admin area, too. */
  administrator: Person;
}

/** @param settings user name and password of the configured administrator */
export async function fillAccounts(
  origin: string,
  settings: { username: string; password: string },
): Promise<DemoPeople> {
  const free = await comeIn(origin, DEMO_ACCOUNTS.free);
  const professional = await comeIn(origin, DEMO_ACCOUNTS.professional);
  const ultimate = await comeIn(origin, DEMO_ACCOUNTS.ultimate);
  const administrator = await comeIn(origin, DEMO_ACCOUNTS.administrator);
  await comeIn(origin, DEMO_ACCOUNTS.usedUp);
  await takePlan(professional, "professional");
  await takePlan(ultimate, "ultimate");
  await administrator.post("/api/admin/login", settings);
  const { id } = await administrator.get<{ id: string }>("/api/auth/me");
  await administrator.put(`/api/admin/user/admin/${id}`, { isAdmin: true });
  await setMonth(origin, DEMO_ACCOUNTS.usedUp, 19, 2000 * MIB);
  await setMonth(origin, DEMO_ACCOUNTS.professional, 46, 38 * GIB);
  await setMonth(origin, DEMO_ACCOUNTS.ultimate, 310, 420 * GIB);
  return { free, professional, ultimate, administrator };
}

/** Gives an account the month's totals of a busy sender. Running the demo again never lowers the totals. */
async function setMonth(origin: string, email: string, transfers: number, bytes: number): Promise<void> {
  await queryLocally(
    `update users set monthly_transfer_count = max(monthly_transfer_count, ${transfers}),
       monthly_upload_total = max(monthly_upload_total, ${bytes}) where email = '${email}'`,
    origin,
  );
}

/** Changes the plan without a payment, because billing is manual on this machine. */
async function takePlan(person: Person, planType: PlanId): Promise<void> {
  const current = await person.get<{ planType: PlanId }>("/api/subscription/current-plan");
  if (current.planType !== planType) await person.post("/api/subscription/manual-update", { planType });
}
