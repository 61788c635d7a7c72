import { Link } from "@remix-run/react";
import { FileX, Hourglass, Timer } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { TitleCard } from "#app/ui/card.tsx";

interface LinkEndedProps {
  title: string;
  message: string;
  /** `unknown`: the link may be mistyped. `held`: the link may come back by itself. */
  why: "ended" | "held" | "unknown";
}

export function LinkEnded({ title, message, why }: LinkEndedProps) {
  const t = useMessages("download");
  return (
    <TitleCard icon={why === "unknown" ? FileX : Hourglass} isWarning title={title}>
      <p className="mt-2 text-muted">{message}</p>
      {why !== "held" && <p className="mt-1 text-muted">{t(why === "ended" ? "askSender" : "checkLink")}</p>}
      <Link to="/" className={`${buttonClass("quiet")} mt-7`}>
        {t("sendYourOwn")}
      </Link>
    </TitleCard>
  );
}

export function TooManyRequests({ message }: { message: string }) {
  const t = useMessages("download");
  return (
    <TitleCard icon={Timer} isWarning title={t("oneMoment")}>
      <p className="mt-2 text-muted">{message}</p>
      <a href="" className={`${buttonClass("quiet")} mt-7`}>
        {t("tryAgain")}
      </a>
    </TitleCard>
  );
}
