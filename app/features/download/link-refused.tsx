import { Link } from "@remix-run/react";
import { FileX, Hourglass, ShieldQuestion, Timer } from "lucide-react";
import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useRevalidate } from "#app/lib/use-revalidate.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { TitleCard } from "#app/ui/card.tsx";
import { SECOND_MS } from "#domain/units.ts";

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

/** How often the page of a link that is being checked asks again. */
const ASK_EVERY_MS = 10 * SECOND_MS;

/** The link opens by itself once the scanner has found nothing. Without scripts, the button asks. */
export function BeingChecked({ title, message }: { title: string; message: string }) {
  const t = useMessages("download");
  const revalidate = useRevalidate();
  useEffect(() => {
    const timer = setInterval(revalidate, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <TitleCard icon={ShieldQuestion} title={title}>
      <p role="status" className="mt-2 text-muted">
        {message}
      </p>
      <p className="mt-1 text-muted">{t("opensByItself")}</p>
      <a href="" className={`${buttonClass("quiet")} mt-7`}>
        {t("tryAgain")}
      </a>
    </TitleCard>
  );
}
