import { env } from "cloudflare:workers";
import { fromBase64url, toBase64url } from "#domain/base64url.ts";
import { runSql } from "./worker.ts";

const encoder = new TextEncoder();
const UP = 0x01;
const UV = 0x04;
const HAS_CREDENTIAL = 0x40;

type Bytes = Uint8Array<ArrayBuffer>;

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
  /** Changes the signature, which is DER. */
  signature?: (der: Bytes) => Bytes;
}

interface Options {
  challenge: string;
}

/** An authenticator in software: one passkey with ES256, or with a key of another algorithm. */
export class Authenticator {
  readonly #keys: CryptoKeyPair;
  readonly #cose: Bytes;
  readonly id = toBase64url(crypto.getRandomValues(new Uint8Array(16)));
  counter = 0;

  private constructor(keys: CryptoKeyPair, cose: Bytes) {
    this.#keys = keys;
    this.#cose = cose;
  }

  /** @param algorithm the number that the key says it has; only -7 signs rightly */
  static async create({ algorithm = -7, curve = 1 } = {}): Promise<Authenticator> {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    const keys = pair as CryptoKeyPair;
    const raw = new Uint8Array((await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer);
    const [x, y] = [raw.slice(1, 33), raw.slice(33, 65)];
    const cose = map([
      [integer(1), integer(2)],
      [integer(3), integer(algorithm)],
      [integer(-1), integer(curve)],
      [integer(-2), byteString(x)],
      [integer(-3), byteString(y)],
    ]);
    return new Authenticator(keys, cose);
  }

  /** Makes it a passkey of an account without asking the server. */
  async saveFor(userId: string): Promise<void> {
    await runSql(
      `insert into passkeys (id, user_id, credential_id, public_key, algorithm, transports, aaguid, name, created_at)
       values (?, ?, ?, ?, -7, '["internal"]', '', 'A passkey', 0)`,
      crypto.randomUUID(),
      userId,
      this.id,
      toBase64url(this.#cose),
    );
  }

  /** @param format of the attestation; `packed` says that it has a certificate */
  async attest({ challenge }: Options, wrong: Wrong = {}, format: "none" | "packed" = "none") {
    const id = fromBase64url(this.id) ?? new Uint8Array();
    const credential = concat(new Uint8Array(16), Uint8Array.of(0, id.length), id, this.#cose);
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
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const signed = await crypto.subtle.sign(algorithm, this.#keys.privateKey, concat(data, hash));
    const der = toDer(new Uint8Array(signed));
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: toBase64url(client),
        authenticatorData: toBase64url(data),
        signature: toBase64url(wrong.signature?.(der) ?? der),
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

/** @param signature r and s, of 32 bytes each */
function toDer(signature: Bytes): Bytes {
  const integers = [signature.subarray(0, 32), signature.subarray(32)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const shortest = bytes.slice(start === -1 ? 31 : start);
    const value = (shortest[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), shortest) : shortest;
    return concat(Uint8Array.of(0x02, value.length), value);
  });
  const body = concat(...integers);
  return concat(Uint8Array.of(0x30, body.length), body);
}

function concat(...parts: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** CBOR (RFC 8949), as far as authenticators use it here. */
function head(major: number, value: number): Bytes {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  return value < 256
    ? Uint8Array.of((major << 5) | 24, value)
    : Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff);
}
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const byteString = (bytes: Uint8Array) => concat(head(2, bytes.length), bytes);
const text = (value: string) => concat(head(3, value.length), encoder.encode(value));
const map = (entries: [Bytes, Bytes][]) => concat(head(5, entries.length), ...entries.flat());
