import { Link } from "@remix-run/react";
import { FileX, Hourglass, Timer } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import type { RequestView } from "#worker/page-types.ts";

/** A link that does not exist, or has been closed, or was asked for too often. */
export function RequestRefused({ status, message }: RequestView & { kind: "refused" }) {
  const t = useMessages("requestPage");
  if (status === 429) {
    return (
      <CannotSend icon={<Timer size={30} aria-hidden />} title={t("tryLater")} text={message}>
        <a href="" className={buttonClass("quiet")}>
          {t("tryAgain")}
        </a>
      </CannotSend>
    );
  }
  const isClosed = status === 410;
  const Icon = isClosed ? Hourglass : FileX;
  return (
    <CannotSend
      icon={<Icon size={30} aria-hidden />}
      title={t(isClosed ? "closed" : "notFound")}
      text={t(isClosed ? "closedHelp" : "notFoundHelp")}
    >
      <Link to="/" className={buttonClass("quiet")}>
        {t("sendYourOwn")}
      </Link>
    </CannotSend>
  );
}

interface CannotSendProps {
  icon: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}

function CannotSend({ icon, title, text, children }: CannotSendProps) {
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-amber-ink">{icon}</span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{title}</h1>
      <p className="mt-2 mb-7 text-muted">{text}</p>
      {children}
    </Card>
  );
}
