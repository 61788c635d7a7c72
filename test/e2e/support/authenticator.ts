import type { CDPSession, Page } from "@playwright/test";

/** Chromium's authenticator in software (CDP, domain WebAuthn). It answers at once, as if a finger were on it. */
export class VirtualAuthenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  static async attach(page: Page): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new VirtualAuthenticator(session, authenticatorId);
  }

  async setUserVerified(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }

  /** Whether the person touches it. Without, autofill only offers. */
  async setPresence(enabled: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: this.#id, enabled });
  }

  async passkeys() {
    const { credentials } = await this.#session.send("WebAuthn.getCredentials", { authenticatorId: this.#id });
    return credentials;
  }
}
