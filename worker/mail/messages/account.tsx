import { PRODUCT_NAME } from "#domain/brand.ts";
import { RESET_LINK_TTL_MS, VERIFICATION_LINK_TTL_MS } from "#domain/link-lifetimes.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

export function verifyMessage(to: string, url: string): Message {
  return {
    to,
    subject: `Confirm your email address for ${PRODUCT_NAME}`,
    body: (
      <Mail title="Confirm your email address">
        <Paragraph>Please confirm that this is the email address for your {PRODUCT_NAME} account.</Paragraph>
        <Action href={url}>Confirm email address</Action>
        <Paragraph>
          The link works once and expires after {inWords(VERIFICATION_LINK_TTL_MS)}. If you did not request this email,
          you can ignore it.
        </Paragraph>
      </Mail>
    ),
  };
}

export function resetMessage(to: string, url: string): Message {
  return {
    to,
    subject: `Set a new password for ${PRODUCT_NAME}`,
    body: (
      <Mail title="Set a new password">
        <Paragraph>We received a request to set a new password for your {PRODUCT_NAME} account.</Paragraph>
        <Action href={url}>Set a new password</Action>
        <Paragraph>
          The link works once and expires after {inWords(RESET_LINK_TTL_MS)}. If you did not request it, you can ignore
          this email: your password has not changed.
        </Paragraph>
      </Mail>
    ),
  };
}

interface MailedKey {
  name: string;
  lastFour: string;
}

/** @param keys that go on working; null: not known */
export function passwordChangedMessage(to: string, keys: MailedKey[] | null, origin: string): Message {
  return {
    to,
    subject: `Your ${PRODUCT_NAME} password was changed`,
    body: (
      <Mail title="Your password was changed">
        <Paragraph>
          The password for your {PRODUCT_NAME} account was just changed. All other devices have been logged out.
        </Paragraph>
        <Paragraph>
          If you did not change it, set a new password right away: choose “Forgot password?” on the login page.
        </Paragraph>
        {keys === null && (
          <Paragraph>Your API keys go on working. Your account page lists them, and revokes them.</Paragraph>
        )}
        {keys !== null && keys.length > 0 && (
          <>
            <Paragraph>
              These API keys go on working. On your account page, revoke those that you do not know:
            </Paragraph>
            <List items={keys.map(({ name, lastFour }) => `“${name}”, which ends in ${lastFour}`)} />
          </>
        )}
        <Action href={`${origin}/login`}>Go to the login page</Action>
      </Mail>
    ),
  };
}

/** To the new address, after an administrator changed it. */
export function addressAssignedMessage(to: string, formerAddress: string, origin: string): Message {
  return {
    to,
    subject: `Your ${PRODUCT_NAME} account has a new email address`,
    body: (
      <Mail title="Your account has a new email address">
        <Paragraph>
          We changed the email address of your {PRODUCT_NAME} account from {formerAddress} to this one. Please use it to
          log in from now on. Your password stays the same.
        </Paragraph>
        <Paragraph>If this is not your account, please contact us.</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}

/** To the former address. */
export function addressChangedMessage(to: string, newAddress: string, origin: string): Message {
  return {
    to,
    subject: `Your ${PRODUCT_NAME} email address was changed`,
    body: (
      <Mail title="Your email address was changed">
        <Paragraph>
          The email address of your {PRODUCT_NAME} account was changed to {newAddress}.
        </Paragraph>
        <Paragraph>If you did not make this change, please contact us right away.</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}

function inWords(lifetimeMs: number): string {
  const hours = lifetimeMs / HOUR_MS;
  if (hours === 1) return "one hour";
  return Number.isInteger(hours) ? `${hours} hours` : `${Math.floor(lifetimeMs / MINUTE_MS)} minutes`;
}
