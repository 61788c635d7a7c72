import type { KeyScope } from "#domain/api-keys.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

interface MailedKey {
  name: string;
  lastFour: string;
  scopes: KeyScope[];
  expiresAt: Date | null;
}

const MAY: Record<KeyScope, string> = {
  upload: "send files",
  "files:read": "list your files",
  "files:write": "change, mail and delete your files",
  requests: "make and change your upload requests",
};

export function keyMadeMessage(to: string, key: MailedKey, origin: string): Message {
  return {
    to,
    subject: `A new API key for ${PRODUCT_NAME}`,
    body: (
      <Mail title="A new API key was made">
        <Paragraph>
          The API key “{key.name}”, which ends in {key.lastFour}, was just made for your {PRODUCT_NAME} account.{" "}
          {key.expiresAt === null ? "It does not run out." : `It works until ${dayOf(key.expiresAt)}.`} It may:
        </Paragraph>
        <List items={key.scopes.map((scope) => MAY[scope])} />
        <Paragraph>If you did not make it, revoke it on your account page, and change your password.</Paragraph>
        <Action href={`${origin}/account`}>Go to your account</Action>
      </Mail>
    ),
  };
}

export function keyRunsOutMessage(to: string, key: Pick<MailedKey, "name" | "lastFour" | "expiresAt">, origin: string) {
  return {
    to,
    subject: `An API key for ${PRODUCT_NAME} runs out soon`,
    body: (
      <Mail title="An API key runs out soon">
        <Paragraph>
          Your API key “{key.name}”, which ends in {key.lastFour}, works until{" "}
          {key.expiresAt === null ? "you revoke it" : dayOf(key.expiresAt)}. Programs that use it need another one then.
        </Paragraph>
        <Action href={`${origin}/account`}>Make another key</Action>
      </Mail>
    ),
  };
}

/** A day such as "23 November 2026", in UTC. */
function dayOf(date: Date): string {
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}
