import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { securityApi } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useLeave } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormCheckbox } from "#app/ui/form-checkbox.tsx";
import { toast } from "#app/ui/toast.ts";

export function SignOutEverywhere() {
  const t = useMessages("security");
  const leave = useLeave();
  const [keysToo, setKeysToo] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => securityApi.signOutEverywhere(keysToo),
    onSuccess: () => {
      toast({ title: t("everywhereDone") });
      leave();
    },
    onError: (error) => {
      toast({ title: t("everywhereFailed"), description: error.message, tone: "bad" });
    },
  });
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("everywhere")}</h2>
      <p className="mt-1 text-muted">{t("everywhereHelp")}</p>
      <FormCheckbox
        checked={keysToo}
        onChange={(event) => {
          setKeysToo(event.target.checked);
        }}
      >
        {t("keysToo")}
      </FormCheckbox>
      <Button
        look="danger"
        className="mt-2"
        disabled={isPending}
        onClick={() => {
          mutate();
        }}
      >
        {t("everywhere")}
      </Button>
    </Card>
  );
}
