import { NotebookPen } from "lucide-react";
import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { automaticHours, DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { formatBytes } from "#domain/units.ts";
import { currentUpload } from "../current-upload.ts";
import { itemsOfFiles } from "../dropped-items.ts";
import { ExpirationSelect, ProtectLink } from "../link-choice-fields.tsx";
import { isChoiceWrong, type LinkChoiceProps } from "../link-choice.ts";
import { Waiting } from "../waiting.tsx";
import { AddArea } from "./add-files.tsx";
import { ChosenFiles } from "./chosen-files.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { WordsFields } from "./edit-words.tsx";
import { ListNotices } from "./list-notices.tsx";
import { SendRow } from "./send-row.tsx";
import type { ListView } from "./transfer-draft.ts";
import { useAskToSignIn, useSend } from "./use-send.ts";

const TextDialog = lazy(() => importWhenOnline(() => import("../text/text-dialog.tsx")));

interface TransferListStepProps extends LinkChoiceProps {
  transfer: CurrentTransfer;
  view: ListView;
}

/** The step that shows the list of files, with title, message and expiration. */
export function TransferListStep({ transfer, view, ...link }: TransferListStepProps) {
  const { draft, list, words, startsAtOnce } = view;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const heading = useRef<HTMLHeadingElement>(null);
  const [isWriting, setWriting] = useState(false);
  const formId = useId();
  const { problems, title, send } = useSend(transfer, view, link);
  const { choice, onChoice } = link;
  // Begins at 1 if the protection is wrong, because the list is then shown with the error.
  const [refusals, setRefusals] = useState(choice.isProtectionWrong ? 1 : 0);
  useAskToSignIn(view.error, send);
  const submit = () => {
    if (isChoiceWrong(choice)) setRefusals(refusals + 1);
    else send();
  };
  const count = list.entries.length;
  const size = formatBytes(list.bytes, t.locale);
  const hours = automaticHours({ expiration: DEFAULT_EXPIRATION, expirationChosen: false, sizeBytes: list.bytes });
  const asksForExpiry = hours !== null && !choice.expirationChosen;

  useEffect(() => {
    if (!startsAtOnce) {
      heading.current?.focus({ preventScroll: true });
      heading.current?.scrollIntoView({ block: "nearest" });
    } else if (asksForExpiry || isChoiceWrong(choice)) draft.show();
    else send();
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the list has been read
  }, [startsAtOnce]);

  if (startsAtOnce) return <Reading />;
  const isEmpty = count === 0;
  return (
    <AddArea onItems={(items) => void draft.extend(items)}>
      <ChosenFiles
        view={view}
        heading={heading}
        ways={
          <Button icon={NotebookPen} look="quiet" onClick={() => setWriting(true)}>
            {tUploads("addText")}
          </Button>
        }
      >
        <ListNotices view={view} problems={problems} onSend={submit} />
      </ChosenFiles>
      {isWriting && (
        <Suspense>
          <TextDialog onText={(file) => void draft.extend(itemsOfFiles([file]))} onClose={() => setWriting(false)} />
        </Suspense>
      )}
      {!isEmpty && (
        <form
          id={formId}
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <WordsFields words={words} placeholder={title} rows={3} onWords={(typed) => draft.setWords(typed)} />
          {asksForExpiry && (
            <p role="status" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
              {t("largeTransfer", { count: hours })}
            </p>
          )}
          <ExpirationSelect {...link} automaticHours={hours} />
          <ProtectLink choice={choice} onChoice={onChoice} refusals={refusals} />
        </form>
      )}
      <SendRow back={tUploads("back")} onBack={() => currentUpload.reset()}>
        {!isEmpty && (
          <Button
            type="submit"
            form={formId}
            disabled={problems.length > 0 || view.unreadable.length > 0 || view.isReading}
          >
            {t("send", { count, size })}
          </Button>
        )}
      </SendRow>
    </AddArea>
  );
}

/** Shows that files are being read. */
export function Reading() {
  const t = useMessages("transferUpload");
  return <Waiting text={t("reading")} onBack={() => currentUpload.reset()} />;
}
