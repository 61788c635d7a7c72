import { createContext, type ReactNode, useContext } from "react";

export interface DownloadLinkProps {
  /** The address of the bytes. */
  href: string;
  className: string;
  onClick?: () => void;
  children: ReactNode;
}

/** What surrounds the downloads of a protected link. */
export interface ProtectedLinkControls {
  /** Names the form whose buttons take a download first. Such a button has `addressOf` its bytes in `formAction`. */
  formId: string;
  /** @param href of bytes @returns the address that takes a download first */
  hrefOf(href: string): string;
  /** Looking at a file would take a download, and this browser has none yet. */
  isTakeNeeded: boolean;
  /** What such a look costs. */
  previewNote: ReactNode;
  /** How many downloads are left, and why the last one was refused. */
  notes: ReactNode;
  renderLink(props: DownloadLinkProps): ReactNode;
  /** @param onTaken goes on to the bytes at this address */
  renderForm(onTaken: (href: string) => void): ReactNode;
  /** @returns whether bytes may be read now; `notes` shows a refusal */
  take(): Promise<boolean>;
}

/** Null on the page of a link without protection. */
export const ProtectedLinkContext = createContext<ProtectedLinkControls | null>(null);

/** A link to bytes. Where the link is protected, a button that takes a download first. */
export function DownloadLink(props: DownloadLinkProps) {
  const protectedLink = useContext(ProtectedLinkContext);
  return protectedLink ? protectedLink.renderLink(props) : <a {...props} />;
}
