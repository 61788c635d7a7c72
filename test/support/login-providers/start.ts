import type { TestProject } from "vitest/node";
import { startProvidersDouble } from "./double.ts";
import { startOidcProvider } from "./oidc-provider.ts";
import "./provided.ts";

const CALLBACK = "http://localhost:8787/api/auth/provider/work/callback";

/** For tests in workerd, which cannot start servers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [double, oidc] = await Promise.all([startProvidersDouble(), startOidcProvider([CALLBACK])]);
  project.provide("providersOrigin", double.origin);
  project.provide("oidcIssuer", oidc.issuer);
  return async () => {
    await Promise.all([double.close(), oidc.close()]);
  };
}
