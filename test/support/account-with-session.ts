import { signIn } from "#worker/accounts/sign-in.ts";
import { readVisit } from "#worker/accounts/visit.ts";
import type { Services } from "#worker/services.ts";

/** Of every account that tests begin with. */
export const PASSWORD = "a good password";

/** Hashing takes 100 ms, so it is done once. */
let hash: Promise<string> | null = null;

/**
 * Makes the rows that a registration makes and signs in through the gate. Registering itself is the subject of
 * accounts.test.ts.
 * @param request whose browser signs in
 * @returns the account's id, and the `Set-Cookie` values of its session, which comes first, and of its device
 */
export async function createAccountWithSession(
  services: Services,
  email: string,
  request: Request,
): Promise<{ id: string; cookies: string[] }> {
  const { internalAdapter, password } = await services.auth.$context;
  hash ??= password.hash(PASSWORD);
  const { id } = await internalAdapter.createUser({ email, name: "", emailVerified: false });
  await internalAdapter.linkAccount({ userId: id, providerId: "credential", accountId: id, password: await hash });
  const proof = { who: id, by: "password", factors: 1, accessRevision: 0 } as const;
  const { cookies } = await signIn(services, proof, readVisit(request), { rememberMe: true }, Date.now());
  return { id, cookies };
}
