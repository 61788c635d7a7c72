import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { THEMES, setPreferenceCookie, THEME_COOKIE, type Theme } from "#app/lib/preference-cookie.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { createStore } from "#app/lib/store.ts";

/** The theme chosen in this document. Overrides the root loader's theme, which is not reloaded. */
const chosen = createStore<Theme | null>(null);

const LABELS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;
const ICONS = { system: Monitor, light: Sun, dark: Moon };

export function ThemeSwitch() {
  const theme = useTheme();
  const t = useMessages("common");
  return (
    <fieldset className="flex w-fit rounded-xl border border-line bg-sunken p-1">
      <legend className="sr-only">{t("theme")}</legend>
      {THEMES.map((value) => {
        const Icon = ICONS[value];
        return (
          <label
            key={value}
            title={t(LABELS[value])}
            className="relative grid size-11 cursor-pointer place-items-center rounded-lg text-muted hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-reed"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              checked={theme === value}
              aria-label={t(LABELS[value])}
              className="absolute inset-0 cursor-pointer opacity-0"
              onChange={() => chooseTheme(value)}
            />
            <Icon size={18} aria-hidden />
          </label>
        );
      })}
    </fieldset>
  );
}

export function useTheme(): Theme {
  const cookieTheme = useRootData()?.theme ?? "system";
  return useSyncExternalStore(
    chosen.subscribe,
    () => chosen.get() ?? cookieTheme,
    () => cookieTheme,
  );
}

function chooseTheme(theme: Theme): void {
  setPreferenceCookie(THEME_COOKIE, theme === "system" ? null : theme);
  chosen.set(theme);
}
