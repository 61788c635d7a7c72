import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";
import { inEveryLanguage } from "./sign-in.tsx";

/** @param url the webhook's address @param href the page where the owner can delete the webhook */
export function webhookChangedMessage(
  to: string,
  change: "webhookAdded" | "webhookMoved",
  url: string,
  href: string,
): Message {
  return inEveryLanguage(to, change, (t) => (
    <>
      <Paragraph>{t(`${change}Text`, { url })}</Paragraph>
      <Paragraph>{t("webhookWasNotYou")}</Paragraph>
      <Action href={href}>{t("openAccount")}</Action>
    </>
  ));
}

/** @param isGone whether the receiver answered 410 @param href the page where the owner can switch the webhook on */
export function webhookDisabledMessage(to: string, url: string, isGone: boolean, href: string): Message {
  return {
    to,
    subject: "Your webhook was switched off",
    body: (
      <Mail title="Your webhook was switched off">
        <Paragraph>
          {isGone
            ? `The receiver at ${url} answered that it is gone (410), so we send it nothing more.`
            : `For three days, the receiver at ${url} has accepted nothing that we sent, so we have stopped.`}
        </Paragraph>
        <Paragraph>Your account page shows what was sent and what the receiver answered.</Paragraph>
        <Action href={href}>Open your account</Action>
      </Mail>
    ),
  };
}
