import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { securityKeys, useRefreshSecurity } from "#app/features/account/security-api.ts";
import { call } from "#app/lib/api.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useLeave } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Question } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import { useKeptFocus } from "#app/ui/use-kept-focus.ts";
import { readDevice } from "#domain/device-names.ts";
import type { ListedDevice, ListedSession } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ListState } from "./card-parts.tsx";

/** Lists the account's devices with their sessions, and the sessions that belong to no listed device. */
export function Devices() {
  const t = useMessages("security");
  const tAccount = useMessages("account");
  const devices = useQuery({ queryKey: securityKeys.devices, queryFn: () => call("GET /api/auth/devices") });
  const sessions = useQuery({ queryKey: securityKeys.sessions, queryFn: () => call("GET /api/auth/sessions") });
  const refresh = useRefreshSecurity();
  const endSession = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? call("DELETE /api/auth/sessions") : call("DELETE /api/auth/sessions/:id", { params: { id } }),
    onSuccess: () => toast({ title: tAccount("sessionEnded") }),
    onError: errorToast(tAccount("sessionFailed"), t("passkeyTryAgain")),
    onSettled: refresh,
  });
  const known = new Set(devices.data?.map(({ id }) => id));
  const others = sessions.data?.filter(({ deviceId }) => deviceId === null || !known.has(deviceId)) ?? [];
  const rows = (listed: ListedSession[]) =>
    listed.map((session) => (
      <SessionRow
        key={session.id}
        session={session}
        busy={endSession.isPending && endSession.variables === session.id}
        onEnd={() => {
          if (!endSession.isPending) endSession.mutate(session.id);
        }}
      />
    ));
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={keptFocus}>
      <Card>
        <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg font-medium">{t("devices")}</h2>
          {(sessions.data?.length ?? 0) > 2 && (
            <Button
              look="quiet"
              busy={endSession.isPending && endSession.variables === null}
              onClick={() => {
                if (!endSession.isPending) endSession.mutate(null);
              }}
            >
              {tAccount("endOthers")}
            </Button>
          )}
        </div>
        <p className="text-muted">{t("devicesHelp")}</p>
        <ListState
          error={devices.error ?? sessions.error}
          onRetry={refresh}
          isLoading={devices.isLoading || sessions.isLoading}
        />
        {devices.data?.length === 0 && <p className="py-3">{t("noDevices")}</p>}
        {devices.data && sessions.data && (
          <ul className="divide-y divide-line">
            {devices.data.map((device) => (
              <DeviceRow key={device.id} device={device} loadedAt={devices.dataUpdatedAt} onRemoved={refresh}>
                {rows(sessions.data.filter(({ deviceId }) => deviceId === device.id))}
              </DeviceRow>
            ))}
          </ul>
        )}
        {devices.data && others.length > 0 && (
          <>
            <h3 className="mt-4 font-medium">{t("otherSessions")}</h3>
            <ul>{rows(others)}</ul>
          </>
        )}
      </Card>
    </div>
  );
}

interface DeviceRowProps {
  device: ListedDevice;
  /** Epoch milliseconds. */
  loadedAt: number;
  onRemoved(): Promise<unknown>;
  children: ReactNode[];
}

function DeviceRow({ device, loadedAt, onRemoved, children }: DeviceRowProps) {
  const t = useMessages("security");
  const tAccount = useMessages("account");
  const dateOf = useMoment();
  const leave = useLeave();
  const [isAsked, setIsAsked] = useState(false);
  const name = describeDevice(device.userAgent, tAccount);
  const remove = useMutation({
    mutationFn: () => call("DELETE /api/auth/devices/:id", { params: { id: device.id } }),
    onSuccess: async () => {
      toast({ title: t("deviceRemoved") });
      if (device.isCurrent) leave();
      else await onRemoved();
    },
    onError: errorToast(t("removeFailed"), t("passkeyTryAgain")),
  });
  const { address, trustedUntil } = device;
  const date = dateOf(device.lastSeenAt);
  return (
    <li className="py-3">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="font-medium">{device.isCurrent ? t("thisDevice", { device: name }) : name}</p>
          <p className="text-sm break-words text-muted">
            {address === "" ? t("lastSeen", { date }) : t("lastSeenFrom", { date, address })}
          </p>
          {trustedUntil !== null && Date.parse(trustedUntil) > loadedAt && (
            <p className="text-sm text-muted">{t("trustedUntil", { date: dateOf(trustedUntil) })}</p>
          )}
        </div>
        <Button
          look="quiet"
          className="shrink-0"
          busy={remove.isPending}
          aria-label={t("removeDeviceOn", { device: name })}
          onClick={() => {
            if (device.isCurrent) setIsAsked(true);
            else remove.mutate();
          }}
        >
          {t("removeDevice")}
        </Button>
      </div>
      {isAsked && (
        <Question
          title={t("removeThisTitle")}
          text={t("removeThisText")}
          yes={t("removeDevice")}
          no={t("staySignedIn")}
          isBusy={remove.isPending}
          onYes={() => remove.mutate()}
          onClose={() => setIsAsked(false)}
        />
      )}
      {children.length > 0 && <ul className="pl-4">{children}</ul>}
    </li>
  );
}

function SessionRow({ session, busy, onEnd }: { session: ListedSession; busy: boolean; onEnd(): void }) {
  const t = useMessages("account");
  const dateOf = useMoment();
  const device = describeDevice(session.userAgent, t);
  const date = dateOf(session.createdAt);
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <p>{session.isCurrent ? t("thisSession", { device }) : device}</p>
        <p className="text-sm break-words text-muted">
          {session.address ? t("sinceFrom", { date, address: session.address }) : t("since", { date })}
        </p>
      </div>
      {!session.isCurrent && (
        <Button look="quiet" className="shrink-0" busy={busy} aria-label={t("endSession", { device })} onClick={onEnd}>
          {t("end")}
        </Button>
      )}
    </li>
  );
}

/** @returns browser and system, for example "Firefox on Windows" */
export function describeDevice(userAgent: string | null, t: Translate<"account">): string {
  const { browser, system } = readDevice(userAgent ?? "");
  if (browser !== null && system !== null) return t("deviceOn", { browser, system });
  return browser ?? system ?? t("unknownDevice");
}
