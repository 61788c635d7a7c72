import { env } from "cloudflare:workers";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { eddsa, es256, rs256, type PasskeyKey } from "./authenticator-keys.ts";
import { byteString, concat, map, text, type Bytes } from "./cbor.ts";
import { runSql } from "./worker.ts";

const encoder = new TextEncoder();
const UP = 0x01;
const UV = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What a test makes wrong in an answer. */
export interface Wrong {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** Of the authenticator data; by default present and verified. */
  flags?: number;
  counter?: number;
  userHandle?: string;
  /** Changes the signature, which is DER for ES256. */
  signature?: (right: Bytes) => Bytes;
}

interface Options {
  challenge: string;
}

/** An authenticator in software, with one passkey. */
export class Authenticator {
  readonly #key: PasskeyKey;
  readonly id = toBase64url(crypto.getRandomValues(new Uint8Array(16)));
  counter = 0;

  private constructor(key: PasskeyKey) {
    this.#key = key;
  }

  /** With ES256. @param label what the public key claims to be */
  static async create({ algorithm = -7, curve = 1 } = {}): Promise<Authenticator> {
    return new Authenticator(await es256({ algorithm, curve }));
  }

  static async createWith(algorithm: "EdDSA" | "RS256"): Promise<Authenticator> {
    return new Authenticator(await (algorithm === "EdDSA" ? eddsa() : rs256()));
  }

  /** Makes it a passkey of an account without asking the server. */
  async saveFor(userId: string): Promise<void> {
    await runSql(
      `insert into passkeys (id, user_id, credential_id, public_key, algorithm, transports, aaguid, name, created_at)
       values (?, ?, ?, ?, -7, '["internal"]', '', 'A passkey', 0)`,
      crypto.randomUUID(),
      userId,
      this.id,
      toBase64url(this.#key.cose),
    );
  }

  /** @param format of the attestation; `packed` says that it has a certificate */
  async attest({ challenge }: Options, wrong: Wrong = {}, format: "none" | "packed" = "none") {
    const id = fromBase64url(this.id) ?? new Uint8Array();
    const credential = concat(new Uint8Array(16), Uint8Array.of(0, id.length), id, this.#key.cose);
    const data = await this.#data({ flags: UP | UV | HAS_CREDENTIAL, ...wrong }, credential);
    const statement =
      format === "none" ? map([]) : map([[text("x5c"), concat(Uint8Array.of(0x81), byteString(new Uint8Array(8)))]]);
    const attestationObject = map([
      [text("fmt"), text(format)],
      [text("attStmt"), statement],
      [text("authData"), byteString(data)],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: toBase64url(clientData({ type: "webauthn.create", challenge, ...wrong })),
        attestationObject: toBase64url(attestationObject),
        transports: ["internal"],
      },
    };
  }

  async assert({ challenge }: Options, wrong: Wrong = {}) {
    const data = await this.#data({ flags: UP | UV, counter: this.counter, ...wrong });
    const client = clientData({ type: "webauthn.get", challenge, ...wrong });
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", client));
    const signature = await this.#key.sign(concat(data, hash));
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: toBase64url(client),
        authenticatorData: toBase64url(data),
        signature: toBase64url(wrong.signature?.(signature) ?? signature),
        ...(wrong.userHandle === undefined ? {} : { userHandle: wrong.userHandle }),
      },
    };
  }

  async #data({ rpId, flags = 0, counter = 0 }: Wrong, credential: Bytes = new Uint8Array()): Promise<Bytes> {
    const host = rpId ?? new URL(env.APP_ORIGIN).hostname;
    const head = new Uint8Array(5);
    head[0] = flags;
    new DataView(head.buffer).setUint32(1, counter);
    return concat(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(host))), head, credential);
  }
}

function clientData({ type, challenge, origin = env.APP_ORIGIN, crossOrigin = false }: Wrong): Bytes {
  return concat(encoder.encode(JSON.stringify({ type, challenge, origin: new URL(origin).origin, crossOrigin })));
}
