import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Question } from "#app/ui/question.tsx";
import type { RevealedKey } from "#domain/wire.ts";
import { adminApi } from "./admin-api.ts";
import { adminErrorToast } from "./admin-errors.ts";
import { useAdminMutation } from "./use-admin-mutation.ts";

interface RevealKeyProps {
  reportId: string;
  onClose(): void;
}

/** Asks first, since each look is noted, and then shows what opens a reported encrypted transfer. */
export function RevealKey({ reportId, onClose }: RevealKeyProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const [key, setKey] = useState<RevealedKey | null>(null);
  const reveal = useAdminMutation({
    change: async () => {
      setKey(await adminApi.revealKey(reportId));
    },
    onSuccess: () => undefined,
    onError: adminErrorToast(tAdmin("updateFailed"), t("showKeyFailed")),
  });
  if (key) return <ShownKey {...key} onClose={onClose} />;
  return (
    <Question
      title={t("showKeyQuestion")}
      text={t("showKeyHelp")}
      yes={t("showKey")}
      no={tAdmin("cancel")}
      isBusy={reveal.isPending}
      look="primary"
      onYes={() => {
        reveal.mutate();
      }}
      onClose={onClose}
    />
  );
}

function ShownKey({ link, password, onClose }: RevealedKey & Pick<RevealKeyProps, "onClose">) {
  const t = useMessages("adminRecords");
  const tCommon = useMessages("common");
  return (
    <Dialog title={t("keyShown")} description={t("keyShownHelp")} onClose={onClose}>
      <dl className="grid gap-3">
        <div>
          <dt className="text-sm text-muted">{t("keyLink")}</dt>
          <dd className="wrap-anywhere">
            <a href={link} target="_blank" rel="noreferrer" className="underline">
              {link}
            </a>
          </dd>
        </div>
        {password !== undefined && (
          <div>
            <dt className="text-sm text-muted">{t("keyPassword")}</dt>
            <dd className="wrap-anywhere">{password}</dd>
          </div>
        )}
      </dl>
      <Button look="quiet" wide className="mt-5" onClick={onClose}>
        {tCommon("close")}
      </Button>
    </Dialog>
  );
}
