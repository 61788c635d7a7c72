import { useMessages } from "#app/lib/i18n/messages.ts";
import { toast } from "#app/ui/toast.ts";
import { currentUpload, isOpen } from "./current-upload.ts";

/**
 * @returns whether an unfinished upload can go on in this tab. While another one is open here it cannot, and the person
 *   is told.
 */
export function useMayGoOn(): () => boolean {
  const t = useMessages("transferUpload");
  return () => {
    if (!isOpen(currentUpload.getState())) return true;
    toast({
      title: t("otherOpen"),
      description: t("otherOpenHelp"),
      tone: "bad",
      action: { label: t("showUpload"), to: "/" },
    });
    return false;
  };
}
