import { ApiError } from "#engine/api-error.ts";
import { NotAgreed, waitForConsent } from "../cli/net/device-flow.ts";
import {
  clientOf,
  findSignedIn,
  forgetSignedIn,
  keepSignedIn,
  leftOf,
  refreshLimits,
  type Me,
  type SignedIn,
} from "./accounts.ts";
import { host } from "./host.ts";
import { newerVersion } from "./newer-version.ts";
import { shownSize, t } from "./texts.ts";

/** What the settings of an account show. */
export type AccountState =
  /** `problem`: why the last attempt to sign in failed. */
  | { kind: "out"; origin: string; problem: string | null }
  /** The person types the code into the page of the site. */
  | { kind: "waiting"; page: string; code: string }
  | { kind: "in"; origin: string; words: string[]; newer: string | null };

/** What the settings ask the background page to do. `wait` is answered when nobody is waited for any more. */
export interface Question {
  ask: "state" | "sign in" | "wait" | "cancel" | "sign out";
  accountId: string;
  /** The address of the site, as the person typed it. */
  address?: string;
}

interface Attempt {
  abort: AbortController;
  page: string;
  code: string;
  /** Resolves with what the settings show then. */
  end: Promise<AccountState>;
}

const attempts = new Map<string, Attempt>();

export async function answerSettings({ ask, accountId, address = "" }: Question): Promise<AccountState> {
  const attempt = attempts.get(accountId);
  switch (ask) {
    case "state":
      return attempt ? waitingOf(attempt) : stateOf(accountId);
    case "sign in":
      attempt?.abort.abort();
      return signIn(accountId, address);
    case "wait":
      return attempt ? attempt.end : stateOf(accountId);
    case "cancel":
      attempt?.abort.abort();
      attempts.delete(accountId);
      return stateOf(accountId);
    case "sign out":
      return signOut(accountId);
  }
}

function waitingOf({ page, code }: Attempt): AccountState {
  return { kind: "waiting", page, code };
}

async function stateOf(accountId: string): Promise<AccountState> {
  const signedIn = await findSignedIn(accountId);
  if (!signedIn) return { kind: "out", origin: "", problem: null };
  try {
    return await stateIn(accountId, signedIn);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      await forgetSignedIn(accountId);
      return { kind: "out", origin: signedIn.origin, problem: t("signInAgain") };
    }
    return { kind: "in", origin: signedIn.origin, words: [wordsOf(error, signedIn.origin)], newer: null };
  }
}

/** @throws as `V1.call` */
async function stateIn(accountId: string, { origin, key }: SignedIn): Promise<AccountState> {
  const me = await refreshLimits(accountId, clientOf(origin, key));
  return { kind: "in", origin, words: describe(me, origin), newer: await newerVersion(origin) };
}

function describe(me: Me, origin: string): string[] {
  return [
    t("signedIn", me.email, new URL(origin).host),
    t("limits", shownSize(me.limits.fileSize), shownSize(leftOf(me)), shownSize(me.limits.monthBytes)),
  ];
}

/** Begins the device flow of RFC 8628, and opens the page on which the person types the code. */
async function signIn(accountId: string, address: string): Promise<AccountState> {
  const origin = originOf(address);
  if (origin === null) return { kind: "out", origin: address, problem: t("notAddress") };
  try {
    const v1 = clientOf(origin, null);
    const started = await v1.call("startDevice", { body: { device_name: "Thunderbird" } });
    const abort = new AbortController();
    const key = waitForConsent(v1, started, abort.signal);
    const attempt: Attempt = {
      abort,
      page: started.verification_uri,
      code: started.user_code,
      end: key
        .then((given) => finish(accountId, { origin, key: given }))
        .catch((error: unknown) => failed(error, origin)),
    };
    attempts.set(accountId, attempt);
    void attempt.end.finally(() => {
      if (attempts.get(accountId) === attempt) attempts.delete(accountId);
    });
    // Without a browser, the person opens the page whose address the settings show.
    await host.windows.openDefaultBrowser(attempt.page).catch(() => undefined);
    return waitingOf(attempt);
  } catch (error) {
    return failed(error, origin);
  }
}

async function finish(accountId: string, signedIn: SignedIn): Promise<AccountState> {
  await keepSignedIn(accountId, signedIn);
  return stateIn(accountId, signedIn);
}

function failed(error: unknown, origin: string): AccountState {
  const isCancelled = error instanceof DOMException && error.name === "AbortError";
  return { kind: "out", origin, problem: isCancelled ? null : wordsOf(error, origin) };
}

/** Ends the key, which was made for this account alone, and forgets it even if the site does not answer. */
async function signOut(accountId: string): Promise<AccountState> {
  const signedIn = await findSignedIn(accountId);
  if (!signedIn) return { kind: "out", origin: "", problem: null };
  const { origin, key } = signedIn;
  const problem = await clientOf(origin, key)
    .call("endKey")
    .then(
      () => null,
      (error: unknown) =>
        error instanceof ApiError && error.status === 401 ? null : t("keyNotEnded", `${origin}/account`),
    );
  await forgetSignedIn(accountId);
  return { kind: "out", origin, problem };
}

function wordsOf(error: unknown, origin: string): string {
  if (error instanceof NotAgreed) return error.reason ?? t("notAgreed");
  if (error instanceof ApiError) return error.message;
  return error instanceof TypeError ? t("unreachable", new URL(origin).host) : t("notSite", new URL(origin).host);
}

/** @returns the origin of a site with https, or of this computer; null for other text */
export function originOf(text: string): string | null {
  const typed = text.trim();
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (typed === "" || !URL.canParse(address)) return null;
  const { protocol, hostname, origin } = new URL(address);
  return protocol === "https:" || hostname === "localhost" || hostname === "127.0.0.1" ? origin : null;
}
