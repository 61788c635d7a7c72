import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useLeave } from "#app/lib/session.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function SignOutEverywhere() {
  const t = useMessages("security");
  const leave = useLeave();
  const [keysToo, setKeysToo] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("everywhere")}</h2>
      <p className="mt-1 text-muted">{t("everywhereHelp")}</p>
      <FormCheckbox checked={keysToo} onChange={(event) => setKeysToo(event.target.checked)}>
        {t("keysToo")}
      </FormCheckbox>
      <Button look="danger" className="mt-2" onClick={() => setIsAsked(true)}>
        {t("everywhere")}
      </Button>
      {isAsked && (
        <ActionQuestion
          title={t("everywhereTitle")}
          text={t(keysToo ? "everywhereKeysText" : "everywhereText")}
          yes={t("everywhere")}
          no={t("staySignedIn")}
          run={() => call("POST /api/auth/sign-out-everywhere", { body: { keysToo } })}
          onSuccess={() => {
            toast({ title: t("everywhereDone") });
            leave();
          }}
          onError={errorToast(t("everywhereFailed"), t("passkeyTryAgain"))}
          onClose={() => setIsAsked(false)}
        />
      )}
    </Card>
  );
}
