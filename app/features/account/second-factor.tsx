import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, lazy, Suspense, useEffect, useRef } from "react";
import { securityKeys, useRefreshSecurity } from "#app/features/account/security-api.ts";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useAnswerForm } from "#app/lib/use-answer-form.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";
import { type SecondFactorState, codeRequest, type NewFactor } from "#domain/wire.ts";
import { ListState, CopyLine } from "./card-parts.tsx";

/** The account's authenticator app and recovery codes. */
export function SecondFactor() {
  const t = useMessages("security");
  const [codes, setCodes] = useState<string[] | null>(null);
  const factor = useQuery({ queryKey: securityKeys.factor, queryFn: () => call("GET /api/auth/totp") });
  const refresh = useRefreshSecurity();
  const container = useKeptFocus<HTMLDivElement>();
  const show = async (recoveryCodes: string[]) => {
    setCodes(recoveryCodes);
    await refresh();
  };
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("factor")}</h2>
      <p className="mt-1 mb-3 text-muted">{t("factorHelp")}</p>
      <div ref={container}>
        <ListState error={factor.error} onRetry={factor.refetch} isLoading={factor.isLoading} />
        {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
        {!codes && factor.data?.since === null && <SetUpFactor onEnabled={show} />}
        {!codes && factor.data && factor.data.since !== null && (
          <FactorInUse factor={factor.data} since={factor.data.since} onCodes={show} onRemoved={refresh} />
        )}
      </div>
    </Card>
  );
}

interface FactorInUseProps {
  factor: SecondFactorState;
  /** When the app was set up, ISO 8601. */
  since: string;
  onCodes(codes: string[]): Promise<unknown>;
  onRemoved(): Promise<unknown>;
}

function FactorInUse({ factor, since, onCodes, onRemoved }: FactorInUseProps) {
  const t = useMessages("security");
  const dateOf = useMoment();
  const [asked, setAsked] = useState<"codes" | "remove" | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <p>
        {t("factorOn", { date: dateOf(since) })} {t("codesLeft", { count: factor.recoveryCodesLeft })}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button look="quiet" onClick={() => setAsked("codes")}>
          {t("newCodes")}
        </Button>
        <Button look="danger" onClick={() => setAsked("remove")}>
          {t("removeFactor")}
        </Button>
      </div>
      {asked === "codes" && (
        <ActionQuestion
          title={t("newCodesTitle")}
          text={t("newCodesText")}
          yes={t("newCodesNow")}
          no={t("cancelFactor")}
          look="primary"
          run={() => callConfirmed("POST /api/auth/recovery-codes")}
          onSuccess={({ recoveryCodes }) => onCodes(recoveryCodes)}
          onError={errorToast(t("newCodesFailed"), t("confirmFailed"))}
          onClose={close}
        />
      )}
      {asked === "remove" && (
        <ActionQuestion
          title={t("removeFactorTitle")}
          text={t("removeFactorText")}
          yes={t("removeFactor")}
          no={t("cancelFactor")}
          run={() => callConfirmed("DELETE /api/auth/totp")}
          onSuccess={onRemoved}
          onError={errorToast(t("removeFactorFailed"), t("confirmFailed"))}
          onClose={close}
        />
      )}
    </>
  );
}

const QrCode = lazy(() => importWhenOnline(() => import("#app/ui/sharing/qr-code.client.tsx")));

interface SetUpFactorProps {
  /** @param recoveryCodes codes that the server never shows again */
  onEnabled(recoveryCodes: string[]): Promise<unknown>;
}

/** A button, and after the click the QR code of a new secret with a field for the first code of the app. */
function SetUpFactor({ onEnabled }: SetUpFactorProps) {
  const t = useMessages("security");
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => callConfirmed("POST /api/auth/totp"),
    onError: errorToast(t("factorFailed"), t("confirmFailed")),
  });
  if (data) return <FirstCode factor={data} onEnabled={onEnabled} onCancel={reset} />;
  return (
    <Button busy={isPending} onClick={() => mutate()}>
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
  const { field, busy, onSubmit } = useAnswerForm(codeRequest, {
    fallback: t("factorFailed"),
    send: async ({ code }) => {
      const { recoveryCodes } = await callConfirmed("POST /api/auth/totp/enable", { body: { code } });
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
      <FormField label={t("codeOfApp")} inputMode="numeric" autoComplete="one-time-code" autoFocus {...field("code")} />
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

/** Shows new recovery codes, which the server never shows again. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const t = useMessages("security");
  const heading = useRef<HTMLHeadingElement>(null);
  // The heading takes the focus, because the form or button that had the focus is gone.
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section aria-label={t("codes")} className="grid gap-3">
      <h3 ref={heading} tabIndex={-1} className="font-medium">
        {t("codes")}
      </h3>
      <p>{t("codesHelp")}</p>
      <ol className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <CopyLine label={t("copyCodes")} value={codes.join(" ")} />
      <Button className="justify-self-start" onClick={onKept}>
        {t("codesKept")}
      </Button>
    </section>
  );
}
