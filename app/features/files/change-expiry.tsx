import { Link } from "@remix-run/react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useServerAhead } from "#app/lib/clock.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormRadio, FormChoices } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { expiresAt, isExpired, type Expiration } from "#domain/expiry.ts";
import { expirationOptions, type ExpirationOption } from "#domain/plans.ts";
import type { ListedFile } from "#domain/wire.ts";
import { keepExpiry } from "./change-words.ts";
import { filesApi } from "./files-api.ts";
import { nameOf } from "./shown-file.tsx";

const EndField = lazy(() => importWhenOnline(() => import("#app/ui/end-field.client.tsx")));

const ON_DATE = "date";

/** Expiry counts from the upload. The dialog disables choices that the plan lacks or that are in the past. */
export function ChangeExpiry({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const plan = useCurrentUser()?.planType ?? "free";
  const [chosen, setChosen] = useState<Expiration | typeof ON_DATE | null>(null);
  const [end, setEnd] = useState({ text: "", isWrong: true });
  const aheadMs = useServerAhead();
  const [openedAt] = useState(() => Date.now() + aheadMs);
  const writeMoment = useMoment();
  const tExpiration = useMessages("expirations");
  const from = Date.parse(file.uploadedAt);
  const endText = (end: string | null) => (end === null ? t("endsNever") : t("endsOn", { date: writeMoment(end) }));
  const update = useMutation({
    mutationFn: (change: { expiration: Expiration } | { expiresAt: string }) => filesApi.changeFile(file.id, change),
    onSuccess: async ({ expiresAt }) => {
      await keepExpiry(file, expiresAt);
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      const end = endText(expiresAt);
      toast({ title: t("expiryChanged"), description: t("expiryChangedTo", { filename: nameOf(file), end }) });
      onClose();
    },
    onError: errorToast(t("updateFailed"), t("expiryFailedHelp")),
  });
  return (
    <Dialog title={t("changeExpiry")} description={t("expiryNow", { end: endText(file.expiresAt) })} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen === ON_DATE) {
            if (!end.isWrong) update.mutate({ expiresAt: new Date(end.text).toISOString() });
          } else if (chosen) update.mutate({ expiration: chosen });
        }}
      >
        <FormChoices legend={t(file.entries === undefined ? "keepFor" : "keepTransferFor")} isLegendHidden>
          {expirationOptions(plan).map((option) => (
            <ExpiryRadio
              key={option.value}
              option={option}
              expiresAtMs={expiryAfter(file, option.value)}
              isPast={isExpired(expiryAfter(file, option.value), openedAt)}
              checked={chosen === option.value}
              onChoose={setChosen}
            />
          ))}
          <FormRadio name="expiration" value={ON_DATE} checked={chosen === ON_DATE} onChange={() => setChosen(ON_DATE)}>
            {tExpiration("onDate")}
          </FormRadio>
        </FormChoices>
        {chosen === ON_DATE && (
          <Suspense>
            <EndField end={end.text} plan={plan} from={from} onChange={(text, isWrong) => setEnd({ text, isWrong })} />
          </Suspense>
        )}
        <Button type="submit" busy={update.isPending} disabled={chosen === null}>
          {t(update.isPending ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}

interface ExpiryRadioProps {
  option: ExpirationOption;
  /** Epoch milliseconds; null if the link never expires. */
  expiresAtMs: number | null;
  isPast: boolean;
  checked: boolean;
  onChoose(expiration: Expiration): void;
}

function ExpiryRadio({ option: { value, requiredPlan }, expiresAtMs, isPast, checked, onChoose }: ExpiryRadioProps) {
  const t = useMessages("files");
  const tExpiration = useMessages("expirations");
  const writeMoment = useMoment();
  return (
    <FormRadio
      name="expiration"
      value={value}
      checked={checked}
      disabled={requiredPlan !== null || isPast}
      aside={
        requiredPlan ? (
          <Link to="/pricing" className="text-reed underline">
            {t("planNeeded", { plan: requiredPlan.name })}
          </Link>
        ) : isPast ? (
          t("hasPassed")
        ) : (
          expiresAtMs !== null && writeMoment(new Date(expiresAtMs).toISOString())
        )
      }
      onChange={() => onChoose(value)}
    >
      {tExpiration(value)}
    </FormRadio>
  );
}

function expiryAfter(file: ListedFile, expiration: Expiration): number | null {
  const lifetime = { expiration, expirationChosen: true, sizeBytes: file.size };
  return expiresAt(lifetime, Date.parse(file.uploadedAt));
}
