import { useContext } from "react";
import { LinkGuardContext, type DownloadLinkProps } from "./guards/link-guard.ts";

/** Of a guarded link, a button that takes a download first. */
export function DownloadLink(props: DownloadLinkProps) {
  const guard = useContext(LinkGuardContext);
  return guard ? guard.renderLink(props) : <a {...props} />;
}
