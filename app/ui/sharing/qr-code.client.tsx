import { useMemo } from "react";
import { renderSVG } from "uqr";

export default function QrCode({ url, label }: { url: string; label: string }) {
  const svg = useMemo(() => renderSVG(url, { border: 2 }), [url]);
  return <img alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} className="size-full" />;
}
