import type { ReactNode } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages, useLocale } from "#app/lib/i18n/messages.ts";

export function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const t = useMessages("common");
  const writeMoment = useMoment();
  if (expiresAt === null) return <>{t("neverExpires")}</>;
  return (
    <>
      {t.rich<"expires", ReactNode>("expires", {
        date: writeMoment(expiresAt),
        time: (text) => (
          <time key="time" dateTime={expiresAt}>
            {text}
          </time>
        ),
      })}
    </>
  );
}

/** @param at ISO 8601 */
export function Moment({ at }: { at: string }) {
  const writeMoment = useMoment();
  return <time dateTime={at}>{writeMoment(at)}</time>;
}

interface DayProps {
  /** ISO 8601. */
  moment: string;
  dateStyle?: "long" | "medium";
}

/** A date. Shown in UTC until hydrated, because the server does not know the reader's time zone. */
export function Day({ moment, dateStyle = "long" }: DayProps) {
  const locale = useLocale();
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return <time dateTime={moment}>{new Date(moment).toLocaleDateString(locale, { dateStyle, ...zone })}</time>;
}
