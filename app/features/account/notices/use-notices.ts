import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import type { NoticeSettings } from "#domain/wire.ts";
import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

const noticesKey = ["/api/notices"];

const noticesApi = {
  read: () => call("GET /api/notices"),
  change: (body: BodyOf<"PATCH /api/notices">) => call("PATCH /api/notices", { body }),
};

const FIELDS = ["downloaded", "arrived", "ending", "timeZone"] as const;

interface Notices {
  /** What is chosen, also while it is being saved. */
  settings: NoticeSettings;
  /** Of the last change. */
  state: "idle" | "saving" | "saved";
  /** What was changed last. */
  changed: keyof NoticeSettings | null;
  change(change: Partial<NoticeSettings>): void;
}

/** Each choice is saved at once. One that cannot be saved goes back, and the person is told. */
export function useNotices(loaded: NoticeSettings): Notices {
  const t = useMessages("notices");
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: noticesKey, queryFn: noticesApi.read, initialData: loaded });
  const save = useMutation({
    // One after the other, so that the last choice wins.
    scope: { id: "notices" },
    mutationFn: noticesApi.change,
    onMutate: async (change: Partial<NoticeSettings>) => {
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
