import { GIB } from "#domain/units.ts";
import { from, newAddress, PROGRAM_LIMITS, type Repeat, type Row } from "./limit-rows.ts";
import { logInAdmin, runSql, sendFile, signUp } from "./worker.ts";

const newEmail = () => `${crypto.randomUUID()}@example.com`;
const wrongLogin = (email: string) => ({ email, password: "a wrong password" });
const contactMessage = () => ({ name: "Ada", email: newEmail(), subject: "Hello", message: "A message of mine." });
const unknownLink = () => `/api/files/download/${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}`;

/** Reset links and verification mails share a limit, so the calls alternate. */
const accountMail = (count: number) => `/api/auth/${count % 2 === 0 ? "reset-password" : "resend-verification"}`;

/** The session stays confirmed for longer than any limit lasts. */
async function signUpConfirmed(): Promise<{ cookie: string }> {
  const { id, cookie } = await signUp();
  await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now() + 86_400_000, id);
  return { cookie };
}

async function startCaller(): Promise<Repeat> {
  const { cookie } = await signUp();
  // Too large for the plan: counted, but starts nothing. The two ways to start alternate.
  const file = { filename: "a.txt", fileType: "text/plain", expiration: "1d" };
  const calls = [
    ["/api/direct-upload/presigned-url", { ...file, fileSize: GIB }],
    ["/api/chunked-upload/init", { ...file, totalSize: String(GIB), totalChunks: "4096" }],
  ] as const;
  return (count) => {
    const [path, body] = calls[count % 2] ?? calls[0];
    return from(newAddress(), cookie).post(path, body);
  };
}

/** The numbers of decision 019, written out so that a changed number in the code fails a test. */
export const LIMIT_NUMBERS: Row[] = [
  {
    call: "login",
    by: "address",
    maxCalls: 5,
    windowSeconds: 60,
    allowedStatus: 401,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/auth/login", wrongLogin(newEmail()));
    },
  },
  {
    call: "a challenge for a passkey",
    by: "address",
    maxCalls: 30,
    windowSeconds: 60,
    allowedStatus: 200,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/auth/passkey/options", { purpose: "login" });
    },
  },
  {
    call: "confirming",
    by: "address",
    maxCalls: 5,
    windowSeconds: 60,
    allowedStatus: 403,
    newCaller() {
      const address = newAddress();
      return async () => {
        const { cookie } = await signUp();
        return from(address, cookie).post("/api/auth/confirm", { password: "a wrong password" });
      };
    },
  },
  {
    call: "second steps",
    by: "address",
    maxCalls: 30,
    windowSeconds: 60,
    allowedStatus: 401,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/auth/second-factor", { code: "123456" });
    },
  },
  {
    call: "links by mail",
    by: "address",
    maxCalls: 10,
    windowSeconds: 3600,
    allowedStatus: 200,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/auth/mail-link", { email: newEmail() });
    },
  },
  {
    call: "links by mail",
    by: "account",
    maxCalls: 3,
    windowSeconds: 3600,
    allowedStatus: 200,
    newCaller() {
      const email = newEmail();
      return () => from(newAddress()).post("/api/auth/mail-link", { email });
    },
  },
  {
    call: "removing an authenticator app, and making recovery codes",
    by: "account",
    maxCalls: 20,
    windowSeconds: 3600,
    allowedStatus: 404,
    async newCaller() {
      const { cookie } = await signUpConfirmed();
      return (count) => {
        const client = from(newAddress(), cookie);
        return count % 2 === 0 ? client.delete("/api/auth/totp") : client.post("/api/auth/recovery-codes", {});
      };
    },
  },
  {
    call: "beginning to set an authenticator app up",
    by: "account",
    maxCalls: 20,
    windowSeconds: 3600,
    allowedStatus: 201,
    async newCaller() {
      const { cookie } = await signUpConfirmed();
      return () => from(newAddress(), cookie).post("/api/auth/totp", {});
    },
  },
  {
    call: "admin login",
    by: "address",
    maxCalls: 5,
    windowSeconds: 900,
    allowedStatus: 401,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/admin/login", { username: newEmail(), password: "a wrong password" });
    },
  },
  {
    call: "register",
    by: "address",
    maxCalls: 5,
    windowSeconds: 3600,
    allowedStatus: 201,
    newCaller() {
      const address = newAddress();
      return () => from(address).post("/api/auth/register", { email: newEmail(), password: "a good password" });
    },
  },
  {
    call: "reset and resend verification",
    by: "account",
    maxCalls: 3,
    windowSeconds: 3600,
    allowedStatus: 200,
    newCaller() {
      const email = newEmail();
      return (count) => from(newAddress()).post(accountMail(count), { email });
    },
  },
  {
    call: "reset and resend verification",
    by: "address",
    maxCalls: 10,
    windowSeconds: 3600,
    allowedStatus: 200,
    newCaller() {
      const client = from(newAddress());
      return (count) => client.post(accountMail(count), { email: newEmail() });
    },
  },
  {
    call: "contact",
    by: "address",
    maxCalls: 3,
    windowSeconds: 3600,
    allowedStatus: 201,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/contact", contactMessage());
    },
  },
  {
    call: "report a file",
    by: "address",
    maxCalls: 3,
    windowSeconds: 3600,
    allowedStatus: 201,
    async newCaller() {
      const client = from(newAddress());
      const { downloadId } = await sendFile(await signUp(), "abc");
      return () => client.post(`/api/files/download/${downloadId}/report`, { reason: "other" });
    },
  },
  {
    call: "starting an upload",
    by: "account",
    maxCalls: 20,
    windowSeconds: 60,
    allowedStatus: 403,
    newCaller: startCaller,
  },
  {
    call: "download info",
    by: "address",
    maxCalls: 60,
    windowSeconds: 60,
    allowedStatus: 200,
    async newCaller() {
      const client = from(newAddress());
      const { downloadId } = await sendFile(await signUp(), "abc");
      return () => client.fetch(`/api/files/download/${downloadId}`);
    },
  },
  {
    call: "download info of unknown ids",
    by: "address",
    maxCalls: 20,
    windowSeconds: 60,
    allowedStatus: 404,
    newCaller() {
      const client = from(newAddress());
      return () => client.fetch(unknownLink());
    },
  },
  {
    call: "pings of webhooks, and deliveries that are sent again",
    by: "account",
    maxCalls: 10,
    windowSeconds: 60,
    allowedStatus: 404,
    async newCaller() {
      const { cookie } = await signUp();
      return (count) => {
        const call = count % 2 === 0 ? "ping" : "deliveries/unknown/retry";
        return from(newAddress(), cookie).post(`/api/webhooks/unknown/${call}`, {});
      };
    },
  },
  {
    call: "making webhooks, and sending them elsewhere",
    by: "account",
    maxCalls: 20,
    windowSeconds: 3600,
    allowedStatus: 400,
    async newCaller() {
      const { cookie } = await signUpConfirmed();
      // Not an address: counted, and mails nothing.
      const body = { url: "ftp://hooks.example.org/", events: ["transfer.uploaded"] };
      return (count) => {
        const client = from(newAddress(), cookie);
        return count % 2 === 0 ? client.post("/api/webhooks", body) : client.patch("/api/webhooks/unknown", body);
      };
    },
  },
  {
    call: "changes of webhooks",
    by: "account",
    maxCalls: 20,
    windowSeconds: 60,
    allowedStatus: 404,
    async newCaller() {
      const { cookie } = await signUp();
      return (count) => {
        const client = from(newAddress(), cookie);
        return count % 2 === 0
          ? client.post("/api/webhooks/unknown/rotate", {})
          : client.patch("/api/webhooks/unknown", { enabled: true });
      };
    },
  },
  ...PROGRAM_LIMITS,
  {
    call: "test mail",
    by: "address",
    maxCalls: 3,
    windowSeconds: 3600,
    allowedStatus: 200,
    newCaller() {
      const address = newAddress();
      // An admin session ends within the hour, so each call has its own.
      return async () => {
        const { cookie } = await logInAdmin();
        return from(address, cookie).post("/api/diagnostic/send-test-email", { email: newEmail() });
      };
    },
  },
];
