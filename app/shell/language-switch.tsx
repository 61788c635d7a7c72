import { Languages } from "lucide-react";
import { useLanguageChoice } from "#app/lib/i18n/language.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { LOCALE_NAMES, LOCALES } from "#domain/locale.ts";

/** Switches without reloading the page, so uploads continue. */
export function LanguageSwitch() {
  const { language, choose } = useLanguageChoice();
  const t = useMessages("common");
  return (
    <label className="relative flex min-h-11 items-center rounded-xl border border-line bg-sunken text-muted hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-reed">
      <Languages size={18} aria-hidden className="pointer-events-none absolute left-3" />
      <span className="sr-only">{t("language")}</span>
      <select
        value={language}
        className="min-h-11 cursor-pointer appearance-none rounded-xl bg-transparent pr-4 pl-10 text-sm font-medium outline-none"
        onChange={(event) => {
          const selected = LOCALES.find((locale) => locale === event.target.value);
          if (selected) choose(selected);
        }}
      >
        {LOCALES.map((value) => (
          <option key={value} value={value} lang={value} className="bg-surface text-ink">
            {LOCALE_NAMES[value]}
          </option>
        ))}
      </select>
    </label>
  );
}
