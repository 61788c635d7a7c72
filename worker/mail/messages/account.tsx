import { PRODUCT_NAME } from "#domain/brand.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

/** Asks whether an address is really theirs, after a registration or a change of address. */
export function verifyMessage(to: string, url: string): Message {
  return {
    to,
    subject: `Confirm your e-mail address for ${PRODUCT_NAME}`,
    body: (
      <Mail title="Confirm your e-mail address">
        <Paragraph>
          Somebody, hopefully you, gave this address to {PRODUCT_NAME}. Press the button to confirm it.
        </Paragraph>
        <Action href={url}>Confirm this address</Action>
        <Paragraph>The link works once and for one hour. If this was not you, ignore this mail.</Paragraph>
      </Mail>
    ),
  };
}

/** Carries the link that sets a new password. */
export function resetMessage(to: string, url: string): Message {
  return {
    to,
    subject: `Set a new password for ${PRODUCT_NAME}`,
    body: (
      <Mail title="Set a new password">
        <Paragraph>Somebody, hopefully you, asked for a new password for this account.</Paragraph>
        <Action href={url}>Set a new password</Action>
        <Paragraph>
          The link works once and for one hour. If this was not you, ignore this mail: your password stays as it is.
        </Paragraph>
      </Mail>
    ),
  };
}

/** Tells a person that their password is another one now. */
export function passwordChangedMessage(to: string, origin: string): Message {
  return {
    to,
    subject: `Your ${PRODUCT_NAME} password was changed`,
    body: (
      <Mail title="Your password was changed">
        <Paragraph>The password of this account was changed just now, and its other sessions were ended.</Paragraph>
        <Paragraph>If this was not you, set a new password at once:</Paragraph>
        <Action href={`${origin}/login`}>{`Open ${PRODUCT_NAME}`}</Action>
      </Mail>
    ),
  };
}

/** Tells an address that an account has it now, because an administrator said so. */
export function addressGivenMessage(to: string, formerAddress: string, origin: string): Message {
  return {
    to,
    subject: `This is your ${PRODUCT_NAME} address now`,
    body: (
      <Mail title="This is your address now">
        <Paragraph>
          The account that used {formerAddress} now uses this address: log in with it. The password is the same.
        </Paragraph>
        <Paragraph>If this is not your account, write to us:</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}

/** Tells the old address that the account has another one now. */
export function addressChangedMessage(to: string, newAddress: string, origin: string): Message {
  return {
    to,
    subject: `Your ${PRODUCT_NAME} address was changed`,
    body: (
      <Mail title="Your e-mail address was changed">
        <Paragraph>The account that used this address now uses {newAddress}.</Paragraph>
        <Paragraph>If this was not you, write to us at once:</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}
