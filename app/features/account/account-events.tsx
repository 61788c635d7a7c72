import { useQuery } from "@tanstack/react-query";
import { securityKeys } from "#app/features/account/security-api.ts";
import { call } from "#app/lib/api.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import type { AccountEventKind } from "#domain/sign-in.ts";
import type { AccountEvent } from "#domain/wire.ts";
import type { MessageName } from "#messages/messages.ts";
import { ListState } from "./card-parts.tsx";
import { describeDevice } from "./devices.tsx";

const NAMES = {
  "sign-in": "signIn",
  "sign-in.new-device": "signInNewDevice",
  "sign-out-everywhere": "signOutEverywhere",
  "device.removed": "deviceGone",
  "passkey.added": "passkeyAddedEvent",
  "passkey.removed": "passkeyRemovedEvent",
  "passkey.refused": "passkeyRefusedEvent",
  "password.changed": "passwordReplaced",
  "email.requested": "emailRequested",
  "email.changed": "emailChanged",
  "email.undone": "emailUndone",
  "email.claimed": "emailClaimed",
  "provider.linked": "providerLinked",
  "provider.unlinked": "providerUnlinked",
  locked: "locked",
  "webhook.added": "webhookAdded",
  "webhook.moved": "webhookMoved",
  "factor.set": "factorSet",
  "factor.removed": "factorRemoved",
  "factor.kept": "factorKept",
  "recovery-codes.made": "recoveryCodesMade",
  "recovery-code.used": "recoveryCodeUsed",
} as const satisfies Record<AccountEventKind, MessageName<"security">>;

/** Lists the recent security events of the account, such as sign-ins and password changes. */
export function AccountEvents() {
  const t = useMessages("security");
  const events = useQuery({ queryKey: securityKeys.events, queryFn: () => call("GET /api/auth/events") });
  return (
    <Card>
      <h2 className="mb-2 text-lg font-medium">{t("events")}</h2>
      <ListState error={events.error} onRetry={events.refetch} isLoading={events.isLoading} />
      {events.data?.length === 0 && <p className="py-3">{t("noEvents")}</p>}
      <ul className="divide-y divide-line">
        {events.data?.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
    </Card>
  );
}

function EventRow({ event }: { event: AccountEvent }) {
  const t = useMessages("security");
  const tAccount = useMessages("account");
  const dateOf = useMoment();
  const date = dateOf(event.at);
  const device = describeDevice(event.userAgent, tAccount);
  const { address } = event;
  const where = address === "" ? t("eventAt", { date, device }) : t("eventFrom", { date, device, address });
  return (
    <li className="py-2">
      <p>{t(NAMES[event.kind])}</p>
      <p className="text-sm break-words text-muted">{event.userAgent === "" ? date : where}</p>
    </li>
  );
}
