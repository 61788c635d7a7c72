import { Timer } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";

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
