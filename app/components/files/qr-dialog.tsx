import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/messages/messages.ts";
import { Dialog } from "../ui/dialog.tsx";

interface QrDialogProps {
  filename: string;
  shareUrl: string;
  onClose(): void;
}

/** The link for a phone's camera. */
export function QrDialog({ filename, shareUrl, onClose }: QrDialogProps) {
  const say = useMessages("common");
  const { data: svg } = useQuery({
    queryKey: ["qr", shareUrl],
    queryFn: async () => {
      const { renderSVG } = await import("uqr");
      return renderSVG(shareUrl, { border: 2 });
    },
  });
  return (
    <Dialog title={say("qrCode")} description={say("qrCodeHelp", { filename })} onClose={onClose}>
      <div className="mx-auto aspect-square w-full max-w-72 overflow-hidden rounded-2xl bg-white">
        {svg !== undefined && (
          <img
            alt={say("qrCodeOf", { filename })}
            src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
            className="size-full"
          />
        )}
      </div>
      <p className="mt-4 text-center text-sm break-all text-muted select-all">{shareUrl}</p>
    </Dialog>
  );
}
