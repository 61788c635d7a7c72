import { AppError } from "#domain/errors.ts";
import type { CurrentUser, ProvidersAnswer } from "#domain/wire.ts";
import { claimEmail } from "../../db/lock-outs.ts";
import { createAccount, findOwner } from "../../db/new-accounts.ts";
import { connect, disconnect, findConnected, listConnected } from "../../db/provider-accounts.ts";
import { openWays } from "../../db/ways-in.ts";
import { localizedError } from "../../errors/translate-error.ts";
import type { LoginProvider } from "../../login-providers.ts";
import { providerConnectedMessage, providerDisconnectedMessage } from "../../mail/messages/sign-in.tsx";
import type { Services } from "../../services.ts";
import { resendVerification } from "../mailed-links.ts";
import { securityUrl } from "../second-factors.ts";
import { signIn, type SignInResult } from "../sign-in.ts";
import { placeOf, type Visit } from "../visit.ts";
import type { Identity } from "./oauth.ts";

/**
 * Signs in the person whom a provider has identified, and makes their account if there is none.
 * @param mayRegister throws when this caller has registered too many accounts @param now epoch milliseconds
 * @throws AppError PROVIDER_REFUSED without a verified address; LINK_FIRST, EMAIL_TAKEN, PROVIDER_TAKEN
 */
export async function enterByProvider(
  services: Services,
  provider: LoginProvider,
  identity: Identity,
  visit: Visit,
  mayRegister: () => Promise<void>,
  now: number,
): Promise<SignInResult> {
  const known = await findConnected(services.db, { name: provider.name, sub: identity.sub });
  const { userId, accessRevision } =
    known ?? (await findOrMakeAccount(services, provider, identity, visit, mayRegister, now));
  const proof = { who: userId, by: "provider", factors: 1, accessRevision } as const;
  return signIn(services, proof, visit, { rememberMe: true }, now);
}

async function findOrMakeAccount(
  services: Services,
  provider: LoginProvider,
  { sub, email, runsAddress }: Identity,
  visit: Visit,
  mayRegister: () => Promise<void>,
  now: number,
): Promise<{ userId: string; accessRevision: number }> {
  const { db } = services;
  const person = { name: provider.name, sub };
  if (email === null || email.length > 254) throw new AppError("PROVIDER_REFUSED");
  const claimed = (userId: string) => ({ ...placeOf(visit), userId, at: now, kind: "email.claimed" }) as const;
  const owner = await findOwner(db, email);
  const isProof = provider.trustsEmail && runsAddress;
  if (!owner) {
    await mayRegister();
    if (!(await createAccount(db, email, isProof, now, person))) throw new AppError("EMAIL_TAKEN");
    if (!isProof) resendVerification(services, email);
  } else if (isProof && !owner.isVerified && !owner.isGiven) {
    // A stranger may have registered the address to wait for its owner, so the account loses its other ways in.
    await claimEmail(db, email, claimed(owner.id), person);
  } else if (isProof) {
    if (!owner.isVerified) await claimEmail(db, email, claimed(owner.id));
    await connectAccount(services, provider, sub, { id: owner.id, email }, visit, now);
  }
  // When two callbacks of a provider race, the other callback may already have made or connected the account.
  const connected = await findConnected(db, person);
  if (connected === null) throw localizedError("LINK_FIRST", "linkFirst", { provider: provider.label });
  return connected;
}

/** Connects a provider to an account. @throws AppError PROVIDER_TAKEN when another account is connected */
export async function connectAccount(
  { db, outbox }: Services,
  provider: LoginProvider,
  sub: string,
  { id, email }: { id: string; email: string },
  visit: Visit,
  now: number,
): Promise<void> {
  const mail = outbox.prepare(providerConnectedMessage(email, provider.label));
  const event = { ...placeOf(visit), userId: id, at: now, kind: "provider.linked" } as const;
  if (!(await connect(db, { name: provider.name, sub }, event, mail))) throw new AppError("PROVIDER_TAKEN");
  mail.send();
}

/** @throws AppError NOT_FOUND, LAST_WAY_IN */
export async function disconnectAccount(
  services: Services,
  name: string,
  { id, email }: CurrentUser,
  visit: Visit,
  now: number,
): Promise<void> {
  const { db, outbox, settings } = services;
  const event = { ...placeOf(visit), userId: id, at: now, kind: "provider.unlinked" } as const;
  const label = settings.providers.find((provider) => provider.name === name)?.label ?? name;
  const mail = outbox.prepare(providerDisconnectedMessage(email, label, securityUrl(services)));
  if (await disconnect(db, name, openWays(settings), event, mail)) {
    mail.send();
    return;
  }
  const { connected } = await listConnected(db, id);
  if (name !== "credential" && connected.has(name)) throw new AppError("LAST_WAY_IN");
  throw localizedError("NOT_FOUND", "providerNotConnected", {});
}

/** @param user null for a person who is not signed in, for whom `isConnected` and `hasPassword` are null */
export async function listProviders({ db, settings }: Services, user: CurrentUser | null): Promise<ProvidersAnswer> {
  const own = user && (await listConnected(db, user.id));
  return {
    providers: settings.providers.map(({ name, label }) => ({
      name,
      label,
      isConnected: own && own.connected.has(name),
    })),
    mailLinks: settings.mailLinks,
    hasPassword: own && own.hasPassword,
  };
}
