import * as z from "zod/mini";

/** Google's issuer, as its discovery document names it. */
const GOOGLE_ISSUER = "https://accounts.google.com";

export function isGoogle({ issuer }: { issuer: string }): boolean {
  return issuer.replace(/\/$/, "") === GOOGLE_ISSUER;
}

export interface LoginProvider {
  /** The provider's name in addresses and in `accounts.provider_id`. */
  name: string;
  /** The provider's name as people see it. */
  label: string;
  /** `github` is OAuth without OpenID; the issuer of such a provider is github.com or a GitHub Enterprise Server. */
  kind: "openid" | "github";
  /**
   * The issuer as the provider writes it, because some issuers end in a slash. GitHub's issuer is stored without a
   * slash.
   */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /**
   * Whether an address that the provider calls verified counts as proved, and connects the provider to the account of
   * that address.
   */
  trustsEmail: boolean;
}

const providersSchema = z.array(
  z.strictObject({
    name: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/)),
    label: z.string().check(z.minLength(1), z.maxLength(40)),
    issuer: z.url({ protocol: /^https?$/ }),
    clientId: z.string().check(z.minLength(1)),
    clientSecret: z.string().check(z.minLength(1)),
    trustsEmail: z.optional(z.boolean()),
  }),
);

/** @param text `LOGIN_PROVIDERS`: a JSON array or "" @throws Error naming the provider and field, never a secret */
export function readProviders(text: string, appEnv: "production" | "development" | "test"): LoginProvider[] {
  if (text.trim() === "") return [];
  const result = providersSchema.safeParse(parseJson(text));
  if (!result.success) {
    const places = result.error.issues.map(({ path }) => path.join(".") || "the whole").join(", ");
    throw new Error(`LOGIN_PROVIDERS must be a JSON array of providers (docs/operations.md). Wrong: ${places}.`);
  }
  const names = result.data.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error("LOGIN_PROVIDERS has two providers of the same name.");
  // better-auth stores passwords as accounts of the provider "credential".
  if (names.includes("credential")) throw new Error('LOGIN_PROVIDERS cannot name a provider "credential".');
  return result.data.map((provider) => {
    if (appEnv === "production" && !provider.issuer.startsWith("https:")) {
      throw new Error(`LOGIN_PROVIDERS: the issuer of ${provider.name} must begin with https://.`);
    }
    const trustsEmail = provider.trustsEmail ?? isGoogle(provider);
    if (provider.name !== "github") return { ...provider, kind: "openid", trustsEmail };
    return { ...provider, kind: "github", issuer: provider.issuer.replace(/\/$/, ""), trustsEmail };
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
