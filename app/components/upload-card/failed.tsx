import { useMessages } from "#app/messages/messages.ts";
import { currentUpload, type FailedUpload } from "#app/upload/current-upload.ts";
import { Button } from "../ui/button.tsx";

/** An upload that broke off: it goes on from what had arrived, without the file being chosen anew. */
export function Failed({ failed }: { failed: FailedUpload }) {
  const say = useMessages("uploads");
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-danger bg-sunken p-4">
      <p className="text-sm">
        {say.rich("notUploaded", {
          filename: failed.file.name,
          file: (name) => (
            <span key="file" className="font-medium break-words">
              {name}
            </span>
          ),
        })}
        {failed.started && ` ${say("keptForADay")}`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            currentUpload.start(failed);
          }}
        >
          {say("tryAgain")}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            currentUpload.cancel();
          }}
        >
          {say("discard")}
        </Button>
      </div>
    </div>
  );
}
