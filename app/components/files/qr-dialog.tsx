import { useQuery } from "@tanstack/react-query";
import { Dialog } from "../ui/dialog.tsx";

interface QrDialogProps {
  filename: string;
  shareUrl: string;
  onClose(): void;
}

/** The link for a phone's camera. */
export function QrDialog({ filename, shareUrl, onClose }: QrDialogProps) {
  const { data: svg } = useQuery({
    queryKey: ["qr", shareUrl],
    queryFn: async () => {
      const { renderSVG } = await import("uqr");
      return renderSVG(shareUrl, { border: 2 });
    },
  });
  return (
    <Dialog title="QR code" description={`Opens the download page of ${filename} on another device.`} onClose={onClose}>
      <div className="mx-auto aspect-square w-full max-w-72 overflow-hidden rounded-2xl bg-white">
        {svg !== undefined && (
          <img
            alt={`QR code of the link to ${filename}`}
            src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
            className="size-full"
          />
        )}
      </div>
      <p className="mt-4 text-center text-sm break-all text-muted select-all">{shareUrl}</p>
    </Dialog>
  );
}
