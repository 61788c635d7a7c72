import type { ReactNode } from "react";
import { useHydrated } from "#app/clock.ts";
import { useMessages } from "#app/messages/messages.ts";
import { regionOf } from "#app/messages/region.ts";

/** When a file goes, in the reader's own time zone, which only the browser knows. */
export function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const say = useMessages("common");
  const hydrated = useHydrated();
  if (expiresAt === null) return <>{say("neverExpires")}</>;
  const date = hydrated
    ? new Date(expiresAt).toLocaleString(regionOf(say.locale), { dateStyle: "medium", timeStyle: "short" })
    : `${expiresAt.slice(0, 16).replace("T", " ")} UTC`;
  return (
    <>
      {say.rich<"expires", ReactNode>("expires", {
        date,
        time: (words) => (
          <time key="time" dateTime={expiresAt}>
            {words}
          </time>
        ),
      })}
    </>
  );
}
