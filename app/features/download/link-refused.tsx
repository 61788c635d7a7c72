import { Link } from "@remix-run/react";
import { FileX, Hourglass, Timer } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";

interface LinkEndedProps {
  title: string;
  message: string;
  expired: boolean;
}

export function LinkEnded({ title, message, expired }: LinkEndedProps) {
  const t = useMessages("download");
  const Icon = expired ? Hourglass : FileX;
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-amber-ink">
        <Icon size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{title}</h1>
      <p className="mt-2 text-muted">{message}</p>
      <p className="mt-1 text-muted">{t(expired ? "askSender" : "checkLink")}</p>
      <Link to="/" className={`${buttonClass("quiet")} mt-7`}>
        {t("sendYourOwn")}
      </Link>
    </Card>
  );
}

export function TooManyRequests({ message }: { message: string }) {
  const t = useMessages("download");
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-amber-ink">
        <Timer size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{t("oneMoment")}</h1>
      <p className="mt-2 text-muted">{message}</p>
      <a href="" className={`${buttonClass("quiet")} mt-7`}>
        {t("tryAgain")}
      </a>
    </Card>
  );
}
