import { PackageCheck } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Card } from "#app/ui/card.tsx";
import { formatBytes } from "#domain/units.ts";
import type { SeenUploadRequest, SenderFields } from "#domain/wire.ts";
import { ChooseFolder, DropField, ItemsInput } from "../drop-field.tsx";
import { type DroppedItem, usePasted } from "../dropped-items.ts";
import { Waiting } from "../waiting.tsx";
import { listKinds } from "./request-bounds.tsx";
import { useSending } from "./use-sending.ts";

const SendingSteps = lazy(() => importWhenOnline(() => import("./sending-steps.client.tsx")));
const GoOn = lazy(() => importWhenOnline(() => import("./go-on.client.tsx")));

interface SendingCardProps {
  token: string;
  request: SeenUploadRequest;
  grant: string | null;
  /** Called when files were sent. */
  onChanged(): Promise<void>;
}

/** The card of a sender, from the choice of files to the receipt. */
export function SendingCard({ token, request, grant, onChanged }: SendingCardProps) {
  const t = useMessages("requestPage");
  const { current, kept, open, reset, discard } = useSending(token, grant);
  const [fields, setFields] = useState<SenderFields>({ senderName: "", senderEmail: "", note: "" });
  const hydrated = useHydrated();
  const card = useRef<HTMLDivElement>(null);
  const isChoosing = current === null;
  const wasChoosing = useRef(isChoosing);
  useEffect(() => {
    if (isChoosing && !wasChoosing.current) card.current?.focus();
    wasChoosing.current = isChoosing;
  }, [isChoosing]);
  let step;
  const opening = <Waiting text={t("opening")} />;
  if (current?.sending) {
    const { sending, view } = current;
    const again = () => {
      reset();
      setFields({ ...fields, note: "" });
      // An error is ignored, because the server checks the room of the request again when the next upload starts.
      onChanged().catch(() => undefined);
    };
    const said = { request, fields, onFields: setFields };
    step = (
      <Suspense fallback={opening}>
        <SendingSteps sending={sending} view={view} {...said} onBack={reset} onAgain={again} />
      </Suspense>
    );
  } else if (current) step = <Waiting text={t("opening")} onBack={reset} />;
  else if (hydrated && kept) {
    step = (
      <Suspense fallback={opening}>
        <GoOn kept={kept} onItems={open} onDiscard={discard} />
      </Suspense>
    );
  } else if (isFull(request)) step = <Full />;
  else step = <ChooseForRequest request={request} onItems={open} />;
  return (
    <Card>
      <div ref={card} tabIndex={-1} className="outline-none">
        {step}
      </div>
    </Card>
  );
}

function isFull({ left }: SeenUploadRequest): boolean {
  return left.bytes === 0 || left.transfers === 0;
}

function Full() {
  const t = useMessages("requestPage");
  return (
    <div className="py-6 text-center">
      <PackageCheck size={36} aria-hidden className="mx-auto text-reed" />
      <h2 className="mt-3 text-lg font-medium">{t("full")}</h2>
      <p className="mx-auto mt-1 max-w-md text-muted">{t("fullHelp")}</p>
    </div>
  );
}

interface ChooseForRequestProps {
  request: Pick<SeenUploadRequest, "kinds" | "mostFileBytes">;
  onItems(items: DroppedItem[]): void;
}

function ChooseForRequest({ request: { kinds, mostFileBytes }, onItems }: ChooseForRequestProps) {
  const t = useMessages("requestPage");
  const add = (items: DroppedItem[]) => {
    if (items.length > 0) onItems(items);
  };
  usePasted(add);
  const hint =
    kinds === null
      ? t("eachFile", { size: formatBytes(mostFileBytes, t.locale) })
      : t("onlyKinds", { kinds: listKinds(kinds) });
  return (
    <div className="grid gap-4">
      <DropField title={t("chooseOrDrop")} dropTitle={t("letGo")} hint={hint} onItems={add}>
        <ItemsInput label={t("chooseFiles")} kinds={kinds} onItems={add} />
      </DropField>
      <ChooseFolder look="quiet" label={t("chooseFolder")} onItems={add} />
    </div>
  );
}
