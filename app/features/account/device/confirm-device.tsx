import { useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ApiError } from "#app/lib/api.ts";
import { NotConfirmed } from "#app/lib/confirming.ts";
import { useAtWork } from "#app/lib/use-at-work.ts";
import { Button } from "#app/ui/button.tsx";
import { DEVICE_KEY_LIFETIME, DEVICE_KEY_SCOPES } from "#domain/device-codes.ts";
import type { WaitingDevice } from "#domain/wire.ts";
import { useDate } from "../use-date.ts";
import { deviceApi } from "./device-api.ts";

/** A code, and the program that waits behind it. */
export interface TypedCode {
  userCode: string;
  device: WaitingDevice;
}

type Decision = "approved" | "refused";

interface ConfirmDeviceProps extends TypedCode {
  onDecided(decision: Decision): void;
  /** To another code. */
  onLeave(): void;
}

/** Says which program asks and what it would get, because the code may be somebody else's. */
export function ConfirmDevice({ userCode, device, onDecided, onLeave }: ConfirmDeviceProps) {
  const t = useMessages("device");
  const tKeys = useMessages("apiKeys");
  const date = useDate();
  const decide = useMutation({
    mutationFn: async (decision: Decision) => {
      await (decision === "approved" ? deviceApi.approve(userCode) : deviceApi.refuse(userCode));
      return decision;
    },
    onSuccess: onDecided,
  });
  const isAtWork = useAtWork(decide.isPending);
  const error = decide.error instanceof NotConfirmed ? null : decide.error;
  const facts = [
    ["device", device.name],
    ["address", device.address],
    ["askedAt", date(device.askedAt)],
  ] as const;
  const answer = (decision: Decision) => {
    if (!decide.isPending) decide.mutate(decision);
  };
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm text-muted sm:leading-6">{t(name)}</dt>
            <dd className="mb-2 min-w-0 break-words sm:mb-0">{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <p>{t("may", { time: tKeys(`expiry_${DEVICE_KEY_LIFETIME}`) })}</p>
        <ul className="mt-1 list-disc ps-5 text-muted">
          {DEVICE_KEY_SCOPES.map((scope) => (
            <li key={scope}>{tKeys(scope)}</li>
          ))}
        </ul>
      </div>
      <p className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">{t("warning")}</p>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error instanceof ApiError ? error.message : t("tryAgain")}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          busy={decide.isPending && decide.variables === "approved"}
          aria-disabled={decide.isPending}
          onClick={() => {
            answer("approved");
          }}
        >
          {t(isAtWork ? "working" : "approve")}
        </Button>
        <Button
          look="danger"
          busy={decide.isPending && decide.variables === "refused"}
          aria-disabled={decide.isPending}
          onClick={() => {
            answer("refused");
          }}
        >
          {t("refuse")}
        </Button>
        {error && (
          <Button look="quiet" onClick={onLeave}>
            {t("other")}
          </Button>
        )}
      </div>
    </div>
  );
}
