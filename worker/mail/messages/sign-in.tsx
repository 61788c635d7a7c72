import type { ReactNode } from "react";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { readDevice } from "#domain/device-names.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { WRONG_UNTOLD } from "#domain/rate-limits.ts";
import {
  EMAIL_UNDO_MS,
  FEW_RECOVERY_CODES,
  MAX_WRONG_CODES,
  NOT_ME_LINK_TTL_MS,
  REMOVAL_WAIT_MS,
  WRONG_CODES_TOLD,
  MAIL_LINK_TTL_MS,
} from "#domain/sign-in.ts";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { translatorFor } from "#messages/compiled.ts";
import type { Translate } from "#messages/translate.ts";
import { Action, InLanguage, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

interface MailedVisit {
  userAgent: string;
  /** The shortened IP address of the visit; "" if unknown. */
  shortIp: string;
  /** The country of the visit as two letters (ISO 3166-1 alpha-2); null if unknown. */
  country: string | null;
}

type MailTranslate = Translate<"signInMails">;

/** @param at epoch milliseconds @param notMeUrl the page that locks everybody out of the account */
export function newDeviceMessage(to: string, visit: MailedVisit, at: number, notMeUrl: string): Message {
  const count = NOT_ME_LINK_TTL_MS / DAY_MS;
  return inEveryLanguage(to, "newDevice", (t) => (
    <>
      <Paragraph>{t("newDeviceText")}</Paragraph>
      <VisitList visit={visit} at={at} t={t} />
      <Paragraph>{t("wasYou")}</Paragraph>
      <Paragraph>{t("wasNotYou", { count })}</Paragraph>
      <Action href={notMeUrl}>{t("notMe")}</Action>
    </>
  ));
}

/**
 * The mail to the present address before a new address is used.
 * @param undoUrl the page that keeps the present address
 */
export function emailChangeAskedMessage(to: string, newAddress: string, undoUrl: string): Message {
  const count = EMAIL_UNDO_MS / DAY_MS;
  return inEveryLanguage(to, "changeAsked", (t) => (
    <>
      <Paragraph>{t("changeAskedText", { address: newAddress })}</Paragraph>
      <Paragraph>{t("undoHelp", { count })}</Paragraph>
      <Action href={undoUrl}>{t("undo")}</Action>
    </>
  ));
}

/** The mail to the former address, once the new address is used. */
export function emailInUseMessage(to: string, newAddress: string): Message {
  const count = EMAIL_UNDO_MS / DAY_MS;
  return inEveryLanguage(to, "changed", (t) => (
    <>
      <Paragraph>{t("changedText", { address: newAddress })}</Paragraph>
      <Paragraph>{t("changedHelp", { count })}</Paragraph>
    </>
  ));
}

/** @param keepUrl the page on which the person says that they still have their authenticator app */
export function factorRemovalAskedMessage(to: string, keepUrl: string): Message {
  const count = REMOVAL_WAIT_MS / DAY_MS;
  return inEveryLanguage(to, "factorRemovalAsked", (t) => (
    <>
      <Paragraph>{t("factorRemovalAskedText", { count })}</Paragraph>
      <Paragraph>{t("keepFactorHelp")}</Paragraph>
      <Action href={keepUrl}>{t("keepFactor")}</Action>
    </>
  ));
}

type FactorChange = "factorSet" | "factorRemoved" | "recoveryCodesMade";

/** @param url the account's Security tab */
export function factorChangedMessage(to: string, change: FactorChange, url: string): Message {
  return inEveryLanguage(to, change, (t) => (
    <>
      <Paragraph>{t(`${change}Text`)}</Paragraph>
      <Paragraph>{t("factorWasNotYou")}</Paragraph>
      <Action href={url}>{t("openSecurity")}</Action>
    </>
  ));
}

/** @param left the number of unused recovery codes @param url the account's Security tab */
export function recoveryCodeUsedMessage(
  to: string,
  visit: MailedVisit,
  at: number,
  left: number,
  url: string,
): Message {
  return inEveryLanguage(to, "recoveryCodeUsed", (t) => (
    <>
      <Paragraph>{t("recoveryCodeUsedText", { count: left })}</Paragraph>
      <VisitList visit={visit} at={at} t={t} />
      {left <= FEW_RECOVERY_CODES && <Paragraph>{t("fewRecoveryCodes")}</Paragraph>}
      <Paragraph>{t("factorWasNotYou")}</Paragraph>
      <Action href={url}>{t("openSecurity")}</Action>
    </>
  ));
}

/** @param what `codesGuessed`: ten wrong codes in a row; `codesStopped`: too many, so that no code is accepted */
export function wrongCodesMessage(to: string, what: "codesGuessed" | "codesStopped"): Message {
  const count = what === "codesGuessed" ? WRONG_CODES_TOLD : MAX_WRONG_CODES;
  return inEveryLanguage(to, what, (t) => (
    <>
      <Paragraph>{t(`${what}Text`, { count })}</Paragraph>
      <Paragraph>{t(`${what}Help`)}</Paragraph>
    </>
  ));
}

/** @param to the address of the administrator or the operator @param username the administrator's sign-in name */
export function adminGuessedMessage(to: string, what: "password" | "code", username: string): Message {
  const name = what === "password" ? "adminPasswordGuessed" : "adminCodeGuessed";
  return inEveryLanguage(to, name, (t) => (
    <>
      <Paragraph>{t(`${name}Text`, { username, count: WRONG_UNTOLD + 1 })}</Paragraph>
      <Paragraph>{t(`${name}Help`)}</Paragraph>
    </>
  ));
}

function VisitList({ visit, at, t }: { visit: MailedVisit; at: number; t: MailTranslate }) {
  return (
    <List
      items={[
        t("when", { at: momentOf(at, t.locale) }),
        t("browser", { browser: browserOf(visit) ?? t("unknown") }),
        t("place", { place: placeOf(visit, t.locale) ?? t("unknown") }),
      ]}
    />
  );
}

/** @param name the passkey's name @param url the account's Security tab */
export function passkeyChangedMessage(
  to: string,
  change: "passkeyAdded" | "passkeyRemoved",
  name: string,
  url: string,
): Message {
  return inEveryLanguage(to, change, (t) => (
    <>
      <Paragraph>{t(`${change}Text`, { name })}</Paragraph>
      <Paragraph>{t("factorWasNotYou")}</Paragraph>
      <Action href={url}>{t("openSecurity")}</Action>
    </>
  ));
}

/**
 * Says that a passkey's count of signatures fell, so that a copy of the passkey may exist.
 * @param securityUrl the account's Security tab
 */
export function passkeyRefusedMessage(to: string, name: string, securityUrl: string): Message {
  return inEveryLanguage(to, "passkeyRefused", (t) => (
    <>
      <Paragraph>{t("passkeyRefusedText", { name })}</Paragraph>
      <Paragraph>{t("passkeyRefusedHelp")}</Paragraph>
      <Action href={securityUrl}>{t("seePasskeys")}</Action>
    </>
  ));
}

/** A mail in all languages, because the language of the request that causes the mail may be a stranger's. */
export function inEveryLanguage(
  to: string,
  title:
    | "newDevice"
    | "changeAsked"
    | "changed"
    | "recoveryCodeUsed"
    | "factorRemovalAsked"
    | "passkeyAdded"
    | "passkeyRemoved"
    | "passkeyRefused"
    | "link"
    | "linkNew"
    | "confirmCode"
    | "connected"
    | "disconnected"
    | "codesGuessed"
    | "codesStopped"
    | "adminPasswordGuessed"
    | "adminCodeGuessed"
    | "webhookAdded"
    | "webhookMoved"
    | FactorChange,
  write: (t: MailTranslate) => ReactNode,
): Message {
  const translators = LOCALES.map((locale) => translatorFor(locale, "signInMails"));
  const titles = translators.map((t) => t(title, { product: PRODUCT_NAME }));
  return {
    to,
    subject: titles.join(" / "),
    body: (
      <Mail title={titles[0] ?? ""}>
        {translators.map((t, index) => (
          <InLanguage key={t.locale} lang={t.locale}>
            {index > 0 && <Paragraph>{titles[index]}</Paragraph>}
            {write(t)}
          </InLanguage>
        ))}
      </Mail>
    ),
  };
}

function momentOf(at: number, locale: Locale): string {
  return new Date(at).toLocaleString(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
}

function browserOf({ userAgent }: MailedVisit): string | null {
  const { browser, system } = readDevice(userAgent);
  return [browser, system].filter((name) => name !== null).join(", ") || null;
}

function placeOf({ country, shortIp }: MailedVisit, locale: Locale): string | null {
  const name = country === null ? "" : (new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country);
  return [name, shortIp].filter((part) => part !== "").join(", ") || null;
}

const MINUTES = MAIL_LINK_TTL_MS / MINUTE_MS;

interface MailedSignIn {
  /** The page with the sign-in button. */
  url: string;
  /** The code of eight digits. */
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

/** @param label the provider's name */
export function providerConnectedMessage(to: string, label: string): Message {
  return inEveryLanguage(to, "connected", (t) => (
    <>
      <Paragraph>{t("connectedText", { provider: label, product: PRODUCT_NAME })}</Paragraph>
      <Paragraph>{t("connectedHelp")}</Paragraph>
    </>
  ));
}

/** @param label the provider's name @param url the account's Security tab */
export function providerDisconnectedMessage(to: string, label: string, url: string): Message {
  return inEveryLanguage(to, "disconnected", (t) => (
    <>
      <Paragraph>{t("disconnectedText", { provider: label, product: PRODUCT_NAME })}</Paragraph>
      <Paragraph>{t("factorWasNotYou")}</Paragraph>
      <Action href={url}>{t("openSecurity")}</Action>
    </>
  ));
}

/** Groups the eight digits by four, which is easier to copy. */
function inHalves(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
