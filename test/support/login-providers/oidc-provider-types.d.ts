/** The part of oidc-provider that is used: the package brings no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    oidc: {
      client?: { clientId: string };
      session?: { accountId?: string };
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant };
    };
  }

  interface Account {
    accountId: string;
    claims(): Promise<{ sub: string; email: string; email_verified: boolean }>;
  }

  export interface Configuration {
    clients: {
      client_id: string;
      client_secret: string;
      redirect_uris: string[];
      response_types: string[];
      grant_types: string[];
    }[];
    claims: Record<string, string[]>;
    pkce: { required(): boolean };
    features: { devInteractions: { enabled: boolean } };
    interactions: { url(context: Context, interaction: { uid: string }): string };
    findAccount(context: Context, sub: string): Account;
    loadExistingGrant(context: Context): Promise<Grant | undefined>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ params: Record<string, unknown> }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } },
    ): Promise<void>;
  }
}
