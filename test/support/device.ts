import { answerOf, Client } from "./worker.ts";

/** What a program gets when it begins, with RFC 8628's names. */
export interface StartedDevice {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** A program that signs itself in, without cookies. */
export class SigningIn {
  readonly started: StartedDevice;

  private constructor(started: StartedDevice) {
    this.started = started;
  }

  static async begin(name = "ada-laptop"): Promise<SigningIn> {
    const response = await new Client().post("/api/v1/device", { device_name: name });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return new SigningIn(await response.json());
  }

  get userCode(): string {
    return this.started.user_code;
  }

  /** Asks for the key. */
  poll(): Promise<Response> {
    return new Client().post("/api/v1/device/token", { grant_type: GRANT, device_code: this.started.device_code });
  }
}

/** The calls of the page that takes a code. @param person who makes them, unless a call names somebody else */
export function codePage(person: () => Client) {
  const calling =
    (path: string) =>
    (userCode: string, by: Client = person()) =>
      answerOf(by.post(path, { userCode }));
  return {
    look: calling("/api/auth/device"),
    approve: calling("/api/auth/device/approve"),
    refuse: calling("/api/auth/device/refuse"),
  };
}
