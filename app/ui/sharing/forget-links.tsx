import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOfManifest, useKeptLinks } from "#app/lib/sealing/use-kept-links.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Question } from "#app/ui/dialog.tsx";

/** Warns that a log-out makes this browser forget the keys of the account's sealed links, and lists those links. */
export default function ForgetLinks({ onLogOut, onClose }: { onLogOut(): void; onClose(): void }) {
  const t = useMessages("common");
  const userId = useCurrentUser()?.id;
  const links = useKeptLinks(true)?.filter((link) => link.userId === userId);
  const count = links?.length;
  const logOut = () => {
    onClose();
    onLogOut();
  };
  useEffect(() => {
    if (count === 0) logOut();
    // oxlint-disable-next-line react/exhaustive-deps -- once they have been counted
  }, [count]);
  if (!links || links.length === 0) return null;
  return (
    <Question
      title={t("logOutQuestion")}
      text={
        <>
          {t("logOutWarning", { count: links.length })}
          <span className="mt-3 block max-h-40 overflow-y-auto font-medium break-words text-ink">
            {links.map(({ downloadId, manifest }) => (
              <span key={downloadId} className="block">
                {nameOfManifest(manifest)}
              </span>
            ))}
          </span>
        </>
      }
      yes={t("logOut")}
      no={t("stay")}
      isBusy={false}
      onYes={logOut}
      onClose={onClose}
    />
  );
}
