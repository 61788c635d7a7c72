import { useMessages } from "#app/lib/i18n/messages.ts";
import { currentUpload, type FailedUpload } from "./current-upload.ts";
import { Button } from "#app/ui/button.tsx";

export function UploadFailed({ failed }: { failed: FailedUpload }) {
  const t = useMessages("uploads");
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-danger bg-sunken p-4">
      <p className="text-sm">
        {t.rich("notUploaded", {
          filename: failed.file.name,
          file: (name) => (
            <span key="file" className="font-medium break-words">
              {name}
            </span>
          ),
        })}
        {failed.started && ` ${t("keptForADay")}`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            currentUpload.start(failed);
          }}
        >
          {t("tryAgain")}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            currentUpload.cancel();
          }}
        >
          {t("discard")}
        </Button>
      </div>
    </div>
  );
}
