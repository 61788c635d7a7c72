import { useMessages } from "#app/lib/i18n/messages.ts";
import type { DownloadLinkProps } from "./link-guard.ts";
import { takeAddress } from "./take-address.ts";
import type { Refused } from "./use-take.ts";

interface TakeButtonProps extends Omit<DownloadLinkProps, "onClick"> {
  formId: string;
  refused: Refused | null;
  /** Until what was refused may be tried again. */
  isWaiting: boolean;
}

/** Takes a download, and goes on to these bytes; without a script too. */
export function TakeButton({ formId, refused, isWaiting, href, className, children }: TakeButtonProps) {
  const t = useMessages("download");
  const address = takeAddress(href);
  const isRefused = refused?.address === address;
  return (
    <button
      type="submit"
      form={formId}
      formAction={address}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isRefused && isWaiting}
      className={`${className} cursor-pointer`}
    >
      {isRefused ? t("tryAgain") : children}
    </button>
  );
}
