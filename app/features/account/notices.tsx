import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useEffect, useState, type ReactNode, useId } from "react";
import { call } from "#app/lib/api.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormChoices } from "#app/ui/form-field.tsx";
import { DOWNLOAD_NOTICES } from "#domain/notices/when-mailed.ts";
import type { NoticeSettings } from "#domain/wire.ts";

/** The server's time zone for a person who never chose one. */
const UNKNOWN_ZONE = "UTC";

/** The settings of a person's mails about their files. */
export function Notices({ loaded }: { loaded: NoticeSettings }) {
  const t = useMessages("notices");
  const { settings, state, changed, change } = useNotices(loaded);
  const { downloaded, arrived, ending, timeZone } = settings;
  const here = useBrowserZone();
  const [wasUnknown] = useState(loaded.timeZone === UNKNOWN_ZONE);
  useEffect(() => {
    if (wasUnknown && here !== null && here !== UNKNOWN_ZONE) change({ timeZone: here });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the browser's zone is known
  }, [here]);
  const saved = (...fields: (keyof NoticeSettings)[]) =>
    changed !== null && fields.includes(changed) && <SaveState state={state} />;
  return (
    <>
      <Card>
        <SectionHead title={t("downloaded")} aside={saved("downloaded")}>
          {t("downloadedHelp")}
        </SectionHead>
        <FormChoices legend={t("downloaded")} isLegendHidden>
          {DOWNLOAD_NOTICES.map((choice) => (
            <Choice
              key={choice}
              type="radio"
              name="downloaded"
              label={t(choice)}
              help={t(`${choice}Help`, { zone: nameOf(timeZone) })}
              checked={downloaded === choice}
              onChange={() => change({ downloaded: choice })}
            />
          ))}
        </FormChoices>
      </Card>
      <Card>
        <SectionHead title={t("others")} aside={saved("arrived", "ending")} />
        <FormChoices legend={t("others")} isLegendHidden>
          <Choice
            type="checkbox"
            label={t("arrived")}
            help={t("arrivedHelp")}
            checked={arrived}
            onChange={() => change({ arrived: !arrived })}
          />
          <Choice
            type="checkbox"
            label={t("ending")}
            help={t("endingHelp")}
            checked={ending}
            onChange={() => change({ ending: !ending })}
          />
        </FormChoices>
      </Card>
      <Card>
        <SectionHead title={t("timeZone")} aside={saved("timeZone")}>
          {t("zoneIs", { zone: nameOf(timeZone) })}
        </SectionHead>
        {here !== null && here !== timeZone && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p>{t("zoneHere", { zone: nameOf(here) })}</p>
            <Button look="quiet" onClick={() => change({ timeZone: here })}>
              {t("takeOver", { zone: nameOf(here) })}
            </Button>
          </div>
        )}
      </Card>
    </>
  );
}

function SectionHead({ title, aside, children }: { title: string; aside: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-lg font-medium">{title}</h2>
        <p role="status" className="shrink-0 text-sm">
          {aside}
        </p>
      </div>
      {children && <p className="mt-1 text-muted">{children}</p>}
    </div>
  );
}

function SaveState({ state }: { state: "idle" | "saving" | "saved" }) {
  const t = useMessages("notices");
  if (state === "idle") return null;
  if (state === "saving") return <span className="text-muted">{t("saving")}</span>;
  return (
    <span className="inline-flex items-center gap-1 font-medium text-reed">
      <Check size={16} aria-hidden />
      {t("saved")}
    </span>
  );
}

/** The browser's time zone; null until hydrated. */
function useBrowserZone(): string | null {
  const hydrated = useHydrated();
  return hydrated ? new Intl.DateTimeFormat().resolvedOptions().timeZone : null;
}

/** An IANA time zone with spaces for `_`. */
function nameOf(timeZone: string): string {
  return timeZone.replaceAll("_", " ");
}

interface ChoiceProps {
  type: "radio" | "checkbox";
  name?: string;
  label: string;
  /** A text below the label. */
  help: string;
  checked: boolean;
  onChange(): void;
}

/** A radio button or checkbox of `FormChoices`, with a text about the choice. */
function Choice({ label, help, ...input }: ChoiceProps) {
  const id = useId();
  return (
    <div className="-mx-2 flex gap-3 rounded-xl px-2 py-2.5 has-[[type=radio]:checked]:bg-sunken">
      <input id={id} aria-describedby={`${id}-help`} className="mt-0.5 size-5 shrink-0 accent-(--reed)" {...input} />
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer">
        <span className="block font-medium">{label}</span>
        <span id={`${id}-help`} className="block text-sm text-muted">
          {help}
        </span>
      </label>
    </div>
  );
}

const noticesKey = ["/api/notices"];

const FIELDS = ["downloaded", "arrived", "ending", "timeZone"] as const;

interface SavedNotices {
  /** The chosen settings, including a change that is still being saved. */
  settings: NoticeSettings;
  /** Whether the last change is saved. */
  state: "idle" | "saving" | "saved";
  /** The field of the last change; null before the first. */
  changed: keyof NoticeSettings | null;
  change(change: Partial<NoticeSettings>): void;
}

/** Saves each choice at once. If a choice cannot be saved, the old value returns and a toast says so. */
function useNotices(loaded: NoticeSettings): SavedNotices {
  const t = useMessages("notices");
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: noticesKey, queryFn: () => call("GET /api/notices"), initialData: loaded });
  const save = useMutation({
    // Mutations in one scope run one after the other, so that the last choice wins.
    scope: { id: "notices" },
    mutationFn: (body: Partial<NoticeSettings>) => call("PATCH /api/notices", { body }),
    onMutate: async (change) => {
      await queries.cancelQueries({ queryKey: noticesKey });
      queries.setQueryData<NoticeSettings>(noticesKey, (before) => ({ ...(before ?? loaded), ...change }));
    },
    onError: async (error) => {
      errorToast(t("saveFailed"), t("tryAgain"))(error);
      await queries.invalidateQueries({ queryKey: noticesKey });
    },
  });
  const { variables = {} } = save;
  return {
    settings: data,
    state: save.isPending ? "saving" : save.isSuccess ? "saved" : "idle",
    changed: FIELDS.find((field) => field in variables) ?? null,
    change: save.mutate,
  };
}
