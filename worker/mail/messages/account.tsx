import { PRODUCT_NAME } from "#domain/brand.ts";
import { RESET_LINK_TTL_MS, VERIFICATION_LINK_TTL_MS } from "#domain/sign-in.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

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

/** Keys, passkeys, providers and webhooks of an account, as a mail about a changed password lists them. */
export interface MailedWays {
  keys: { id: string; name: string; lastFour: string }[];
  passkeys: { id: string; name: string }[];
  providers: { id: string; label: string }[];
  webhooks: { id: string; url: string }[];
}

interface ChangedWays {
  left: MailedWays;
  ended: MailedWays;
  /**
   * Whether the change of the password was the first proof of the address, which is why the ways in `ended` have ended.
   */
  isClaimed: boolean;
}

/** @param ways the account's ways in; null if they could not be read @param securityUrl the account's Security tab */
export function passwordChangedMessage(to: string, ways: ChangedWays | null, securityUrl: string): Message {
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
        {ways === null ? (
          <Paragraph>
            Your account page lists the API keys, passkeys, providers and webhooks that are left. Remove what you do not
            know.
          </Paragraph>
        ) : (
          <>
            <EndedLists {...ways} />
            <LeftLists left={ways.left} />
          </>
        )}
        <Action href={securityUrl}>Open the Security page</Action>
      </Mail>
    ),
  };
}

function EndedLists({ ended, isClaimed }: ChangedWays) {
  const { keys, passkeys, providers, webhooks } = ended;
  const isAny = [keys, passkeys, providers, webhooks].some(({ length }) => length > 0);
  return (
    <>
      {isClaimed && isAny && (
        <Paragraph>
          Nobody had confirmed this address before, so what else led into the account has ended, in case a stranger made
          it.
        </Paragraph>
      )}
      <WayList intro="These API keys no longer work:" items={keys.map(keyInWords)} />
      <WayList intro="These passkeys no longer sign in:" items={passkeys.map(({ name }) => `“${name}”`)} />
      <WayList intro="These providers no longer sign in:" items={providers.map(({ label }) => label)} />
      <WayList
        intro={
          isClaimed
            ? "These webhooks are deleted:"
            : "We have switched these webhooks off. On your account page, switch on those that you know, and delete the others:"
        }
        items={webhooks.map(({ url }) => url)}
      />
    </>
  );
}

function LeftLists({ left: { keys, passkeys, providers, webhooks } }: Pick<ChangedWays, "left">) {
  return (
    <>
      <WayList
        intro="These API keys go on working. On your account page, revoke those that you do not know:"
        items={keys.map(keyInWords)}
      />
      <WayList
        intro="These passkeys still sign in. On your account page, remove those that you do not know:"
        items={passkeys.map(({ name }) => `“${name}”`)}
      />
      <WayList
        intro="These providers still sign in. On your account page, disconnect those that you do not know:"
        items={providers.map(({ label }) => label)}
      />
      <WayList
        intro="These webhooks are still told what happens to your files. On your account page, delete those that you do not know:"
        items={webhooks.map(({ url }) => url)}
      />
    </>
  );
}

function keyInWords({ name, lastFour }: MailedWays["keys"][number]): string {
  return `“${name}”, which ends in ${lastFour}`;
}

function WayList({ intro, items }: { intro: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <Paragraph>{intro}</Paragraph>
      <List items={items} />
    </>
  );
}

/** The mail to the new address after an administrator changed the account's address. */
export function emailAssignedMessage(to: string, formerAddress: string, origin: string): Message {
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

/** The mail to the former address after an administrator changed the account's address. */
export function emailChangedMessage(to: string, newAddress: string, origin: string): Message {
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

export function testMessage(to: string): Message {
  return {
    to,
    subject: `Test verification email from ${PRODUCT_NAME}`,
    body: (
      <Mail title="Your test email arrived">
        <Paragraph>
          An administrator of {PRODUCT_NAME} sent this email to check that verification emails arrive.
        </Paragraph>
        <Paragraph>You do not need to do anything.</Paragraph>
      </Mail>
    ),
  };
}
