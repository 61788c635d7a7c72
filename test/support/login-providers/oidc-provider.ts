import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Provider, type Configuration } from "oidc-provider";
import { ACCOUNT_FIELD, TEST_CLIENT } from "./test-client.ts";

/**
 * Starts oidc-provider. It signs in whom `login_hint` names, or whom a person names in its form: `sub` is that name, the
 * address is `<name>@example.com`, and it is verified unless the name begins with `unverified`.
 * @param callbacks where it may send people back to
 * @param port default: a free one
 */
export async function startOidcProvider(
  callbacks: string[],
  port = 0,
): Promise<{ issuer: string; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(callbacks));
  const handle = provider.callback();
  server.on("request", (request, response) => {
    void (request.url?.startsWith("/interaction/") ? interact(provider, request, response) : handle(request, response));
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

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const named = new URLSearchParams(await text(request)).get("account");
  const accountId = named ?? params.login_hint;
  if (typeof accountId === "string") {
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>The provider</title>
    <link rel="icon" href="data:,">
    <form method="post"><label>${ACCOUNT_FIELD} <input name="account"></label> <button>Sign in there</button></form>`);
}

function configuration(callbacks: string[]): Configuration {
  return {
    clients: [
      {
        client_id: TEST_CLIENT.clientId,
        client_secret: TEST_CLIENT.clientSecret,
        redirect_uris: callbacks,
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
