import { createContext, type MouseEvent, type ReactNode, useContext } from "react";

export interface DownloadLinkProps {
  /** The URL of the bytes. */
  href: string;
  className: string;
  /** Not called on the page of a protected link, whose form starts downloads. */
  onClick?: (event: MouseEvent<HTMLAnchorElement>) => void;
  children: ReactNode;
}

/** How the page of a protected link renders downloads. */
export interface ProtectedLinkControls {
  /** The id of the form whose buttons get a lease before they download. Their `formAction` is a result of `hrefOf`. */
  formId: string;
  /** @param href the URL of bytes @returns the URL that gives a lease and then these bytes */
  hrefOf(href: string): string;
  /** Whether a preview would count as a download, because this browser has no lease yet. */
  isTakeNeeded: boolean;
  /** Whether the link allows one download in all. */
  opensOnce: boolean;
  /** A note that a preview counts as a download. */
  previewNote: ReactNode;
  /** Says how many downloads are left, and why the last download was refused. */
  notes: ReactNode;
  renderLink(props: DownloadLinkProps): ReactNode;
  /** @param onTaken called with the URL of the bytes once this browser has a lease */
  renderForm(onTaken: (href: string) => void): ReactNode;
  /** Asks the server for a lease. @returns whether bytes may be read now; if not, `notes` shows why */
  take(): Promise<boolean>;
}

/** Null on the page of a link without protection. */
export const ProtectedLinkContext = createContext<ProtectedLinkControls | null>(null);

/** A link to bytes, or, on the page of a protected link, a button that gets a lease before it downloads. */
export function DownloadLink(props: DownloadLinkProps) {
  const protectedLink = useContext(ProtectedLinkContext);
  return protectedLink ? protectedLink.renderLink(props) : <a {...props} />;
}
