import type { ReactNode } from "react";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { MAIL_LINK_TTL_MS } from "#domain/sign-in.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { Action, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";
import { inEveryLanguage } from "./sign-in.tsx";

const MINUTES = MAIL_LINK_TTL_MS / MINUTE_MS;

interface MailedSignIn {
  /** The page with the button. */
  url: string;
  /** Eight digits. */
  code: string;
  /** Whether the address has no account yet. */
  isNew: boolean;
}

export function mailLinkMessage(to: string, { url, code, isNew }: MailedSignIn): Message {
  return inEveryLanguage(to, isNew ? "linkNew" : "link", (t) => (
    <>
      <Paragraph>{t(isNew ? "linkNewText" : "linkText", { count: MINUTES })}</Paragraph>
      <Action href={url}>{t(isNew ? "linkNewAction" : "linkAction")}</Action>
      <Paragraph>{t("linkCode", { code: inHalves(code) })}</Paragraph>
      <Paragraph>{t("linkIgnore")}</Paragraph>
    </>
  ));
}

export function confirmCodeMessage(to: string, code: string): Message {
  return inEveryLanguage(to, "confirmCode", (t): ReactNode => (
    <>
      <Paragraph>{t("confirmCodeText", { code: inHalves(code), count: MINUTES })}</Paragraph>
      <Paragraph>{t("confirmCodeWarning")}</Paragraph>
    </>
  ));
}

/** @param label the provider's */
export function providerConnectedMessage(to: string, label: string): Message {
  return inEveryLanguage(to, "connected", (t) => (
    <>
      <Paragraph>{t("connectedText", { provider: label, product: PRODUCT_NAME })}</Paragraph>
      <Paragraph>{t("connectedHelp")}</Paragraph>
    </>
  ));
}

/** @param label the provider's @param url the Security tab */
export function providerDisconnectedMessage(to: string, label: string, url: string): Message {
  return inEveryLanguage(to, "disconnected", (t) => (
    <>
      <Paragraph>{t("disconnectedText", { provider: label, product: PRODUCT_NAME })}</Paragraph>
      <Paragraph>{t("factorWasNotYou")}</Paragraph>
      <Action href={url}>{t("openSecurity")}</Action>
    </>
  ));
}

/** Four digits at a time are easier to copy. */
function inHalves(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
