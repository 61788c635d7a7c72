import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { CopyLine } from "#app/features/account/copy-line.tsx";
import { securityApi } from "#app/features/account/security-api.ts";
import { useAnswerForm } from "#app/features/account/use-answer-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { codeRequest, type NewFactor } from "#domain/wire.ts";

const QrCode = lazy(() => importWhenOnline(() => import("#app/ui/sharing/qr-code.client.tsx")));

interface SetUpFactorProps {
  /** @param recoveryCodes are never shown again */
  onEnabled(recoveryCodes: string[]): Promise<unknown>;
}

/** A button, and then the QR code of a new secret and a field for the first code. */
export function SetUpFactor({ onEnabled }: SetUpFactorProps) {
  const t = useMessages("security");
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: securityApi.beginFactor,
    onError: errorToast(t("factorFailed"), t("confirmFailed")),
  });
  if (data) return <FirstCode factor={data} onEnabled={onEnabled} onCancel={reset} />;
  return (
    <Button
      busy={isPending}
      onClick={() => {
        mutate();
      }}
    >
      {t("setUpFactor")}
    </Button>
  );
}

interface FirstCodeProps extends SetUpFactorProps {
  factor: NewFactor;
  onCancel(): void;
}

function FirstCode({ factor, onEnabled, onCancel }: FirstCodeProps) {
  const t = useMessages("security");
  const { errors, busy, refusal, onSubmit } = useAnswerForm(codeRequest, {
    fallback: t("factorFailed"),
    send: async ({ code }) => {
      const { recoveryCodes } = await securityApi.enableFactor(code);
      await onEnabled(recoveryCodes);
    },
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      <p>{t("scan")}</p>
      <div className="size-48 rounded-xl bg-white p-2">
        <Suspense>
          <QrCode url={factor.address} label={t("qrCode")} />
        </Suspense>
      </div>
      <CopyLine label={t("factorKey")} value={factor.secret} />
      <FormField
        label={t("codeOfApp")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        error={errors.code ?? refusal}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {t("enableFactor")}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t("cancelFactor")}
        </Button>
      </div>
    </form>
  );
}
