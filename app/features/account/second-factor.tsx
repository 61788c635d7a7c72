import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListState } from "#app/features/account/list-state.tsx";
import { RecoveryCodes } from "#app/features/account/recovery-codes.tsx";
import { securityApi, securityKeys } from "#app/features/account/security-api.ts";
import { SetUpFactor } from "#app/features/account/set-up-factor.tsx";
import { useDate } from "#app/features/account/use-date.ts";
import { useRefreshSecurity } from "#app/features/account/use-refresh-security.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/question.tsx";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";
import type { SecondFactorState } from "#domain/wire.ts";

/** The authenticator app of the account, and its recovery codes. */
export function SecondFactor() {
  const t = useMessages("security");
  const [codes, setCodes] = useState<string[] | null>(null);
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: securityKeys.factor,
    queryFn: securityApi.factor,
  });
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
        <ListState error={error} onRetry={refetch} isLoading={isLoading} />
        {codes && (
          <RecoveryCodes
            codes={codes}
            onKept={() => {
              setCodes(null);
            }}
          />
        )}
        {!codes && data?.since === null && <SetUpFactor onEnabled={show} />}
        {!codes && data && data.since !== null && (
          <FactorInUse factor={data} since={data.since} onCodes={show} onRemoved={refresh} />
        )}
      </div>
    </Card>
  );
}

interface FactorInUseProps {
  factor: SecondFactorState;
  /** ISO 8601. */
  since: string;
  onCodes(codes: string[]): Promise<unknown>;
  onRemoved(): Promise<unknown>;
}

function FactorInUse({ factor, since, onCodes, onRemoved }: FactorInUseProps) {
  const t = useMessages("security");
  const dateOf = useDate();
  const [asked, setAsked] = useState<"codes" | "remove" | null>(null);
  const close = () => {
    setAsked(null);
  };
  const makeCodes = useMutation({
    mutationFn: securityApi.makeRecoveryCodes,
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: errorToast(t("newCodesFailed"), t("confirmFailed")),
  });
  const remove = useMutation({
    mutationFn: securityApi.removeFactor,
    onSuccess: onRemoved,
    onError: errorToast(t("removeFactorFailed"), t("confirmFailed")),
  });
  return (
    <>
      <p>
        {t("factorOn", { date: dateOf(since) })} {t("codesLeft", { count: factor.recoveryCodesLeft })}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          look="quiet"
          onClick={() => {
            setAsked("codes");
          }}
        >
          {t("newCodes")}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            setAsked("remove");
          }}
        >
          {t("removeFactor")}
        </Button>
      </div>
      {asked === "codes" && (
        <Question
          title={t("newCodesTitle")}
          text={t("newCodesText")}
          yes={t("newCodesNow")}
          no={t("cancelFactor")}
          look="primary"
          isBusy={makeCodes.isPending}
          onYes={() => {
            makeCodes.mutate();
          }}
          onClose={close}
        />
      )}
      {asked === "remove" && (
        <Question
          title={t("removeFactorTitle")}
          text={t("removeFactorText")}
          yes={t("removeFactor")}
          no={t("cancelFactor")}
          isBusy={remove.isPending}
          onYes={() => {
            remove.mutate();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
