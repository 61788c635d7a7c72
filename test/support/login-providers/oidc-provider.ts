import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider, type Configuration } from "oidc-provider";
import { TEST_CLIENT } from "./provided.ts";

/** Registered at the provider. */
const CALLBACK = "http://localhost:8787/api/auth/provider/work/callback";

/**
 * Starts oidc-provider. It signs in whom `login_hint` names, without a form: `sub` is the hint, the address is
 * `<hint>@example.com`, and it is verified unless the hint begins with `unverified`.
 */
export async function startOidcProvider(): Promise<{ issuer: string; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration());
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) {
      void handle(request, response);
      return;
    }
    void (async () => {
      const { params } = await provider.interactionDetails(request, response);
      await provider.interactionFinished(request, response, { login: { accountId: String(params.login_hint) } });
    })();
  });
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

function configuration(): Configuration {
  return {
    clients: [
      {
        client_id: TEST_CLIENT.clientId,
        client_secret: TEST_CLIENT.clientSecret,
        redirect_uris: [CALLBACK],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () =>
        Promise.resolve({ sub, email: `${sub}@example.com`, email_verified: !sub.startsWith("unverified") }),
    }),
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      if (!client || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  };
}
