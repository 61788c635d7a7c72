import { useMessages } from "#app/lib/i18n/messages.ts";
import { EXPIRATIONS } from "#domain/expiry.ts";

/** The sun's path. landing.css moves the sun along the same path. */
const SUN_PATH = "M60 400A440 340 0 0 1 940 400";

const STAGES = [
  { hour: "morning", title: "easyUpload", text: "easyUploadText" },
  { hour: "noon", title: "instantSharing", text: "instantSharingText" },
  { hour: "nightfall", title: "secure", text: "secureText" },
] as const;

/** The lifetime of a file, shown as the sun that sets while the reader scrolls. */
export function DayOfAFile() {
  const t = useMessages("landing");
  const tExpiration = useMessages("expirations");
  return (
    <section aria-labelledby="day" className="day mx-auto max-w-6xl px-4 pt-20 sm:px-6 lg:pt-28">
      <div className="relative">
        <svg viewBox="0 0 1000 440" aria-hidden className="w-full overflow-visible">
          <path
            d={SUN_PATH}
            fill="none"
            className="stroke-muted"
            strokeWidth="3.5"
            strokeDasharray="1 13"
            strokeLinecap="round"
          />
          <path d={SUN_PATH} fill="none" pathLength="100" className="day-past stroke-amber" strokeWidth="5" />
          <path d="M0 400h1000" className="stroke-line" strokeWidth="3" />
          <circle cx="940" cy="400" r="17" className="fill-paper stroke-muted" strokeWidth="3" strokeDasharray="5 7" />
          <g className="day-sun">
            <circle r="58" className="fill-sun" opacity=".22" />
            <circle r="32" className="fill-sun" />
          </g>
        </svg>
        <div className="absolute inset-x-0 bottom-[14%] mx-auto max-w-[62%] text-center lg:bottom-[17%] lg:max-w-[56%]">
          <h2
            id="day"
            className="font-display text-[clamp(1.35rem,5.2vw,3.75rem)] leading-[1.04] font-semibold tracking-tight text-balance"
          >
            {t("dayTitle")}
          </h2>
          <p className="mx-auto mt-4 max-w-md text-muted max-lg:hidden">
            {t("dayText", { shortest: tExpiration(EXPIRATIONS[0]) })}
          </p>
        </div>
      </div>
      <ol className="mt-4 grid gap-8 lg:mt-6 lg:grid-cols-3 lg:gap-12">
        {STAGES.map(({ hour, title, text }) => (
          <li key={title} className="border-l-3 border-amber pl-5 lg:border-0 lg:pl-0">
            <p className="text-sm font-medium tracking-[0.14em] text-muted uppercase">{t(hour)}</p>
            <h3 className="mt-1 font-display text-3xl font-semibold">{t(title)}</h3>
            <p className="mt-2 max-w-prose text-muted">{t(text)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
