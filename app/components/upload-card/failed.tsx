import { currentUpload, type FailedUpload } from "#app/upload/current-upload.ts";
import { Button } from "../ui/button.tsx";

/** An upload that broke off: it goes on from what had arrived, without the file being chosen anew. */
export function Failed({ failed }: { failed: FailedUpload }) {
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-danger bg-sunken p-4">
      <p className="text-sm">
        <span className="font-medium break-words">{failed.file.name}</span> was not uploaded.
        {failed.started && " What has arrived is kept for a day."}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            currentUpload.start(failed);
          }}
        >
          Try again
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            currentUpload.cancel();
          }}
        >
          Discard
        </Button>
      </div>
    </div>
  );
}
