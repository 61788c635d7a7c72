import { useMessages } from "#app/lib/i18n/messages.ts";
import { currentUpload } from "../current-upload.ts";
import { Waiting } from "../waiting.tsx";

/** Before the list of files is known. */
export function Reading() {
  const t = useMessages("transferUpload");
  return (
    <Waiting
      text={t("reading")}
      onBack={() => {
        currentUpload.reset();
      }}
    />
  );
}
