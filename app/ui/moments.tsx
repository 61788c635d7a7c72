import type { ReactNode } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages, useLocale } from "#app/lib/i18n/messages.ts";
import { regionOf } from "#app/lib/i18n/formats.ts";

/** UTC until hydrated: the server does not know the reader's time zone. */
export function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const t = useMessages("common");
  const hydrated = useHydrated();
  if (expiresAt === null) return <>{t("neverExpires")}</>;
  const date = hydrated
    ? new Date(expiresAt).toLocaleString(regionOf(t.locale), { dateStyle: "medium", timeStyle: "short" })
    : `${expiresAt.slice(0, 16).replace("T", " ")} UTC`;
  return (
    <>
      {t.rich<"expires", ReactNode>("expires", {
        date,
        time: (text) => (
          <time key="time" dateTime={expiresAt}>
            {text}
          </time>
        ),
      })}
    </>
  );
}

interface DayProps {
  /** ISO 8601. */
  moment: string;
  dateStyle?: "long" | "medium";
}

/** UTC until hydrated: the server does not know the reader's time zone. */
export function Day({ moment, dateStyle = "long" }: DayProps) {
  const locale = useLocale();
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return <time dateTime={moment}>{new Date(moment).toLocaleDateString(locale, { dateStyle, ...zone })}</time>;
}
