import { Download, Eye, EyeOff, KeyRound, LockKeyhole } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { CopyPassword } from "#app/ui/protection/copy-password.tsx";
import type { KnownProtection } from "./link-choice.ts";

const LazyProtectionDialog = lazy(() =>
  importWhenOnline(() => import("#app/ui/protection/protection-dialog.client.tsx")),
);

interface LinkProtectionProps {
  known: KnownProtection;
  /** Called to open the ProtectionDialog, which the caller shows. */
  onOpen(): void;
}

/** Shows the protection of a working link, with a button that changes it. */
export function ProtectionSummary({ known: { guards, password }, onOpen }: LinkProtectionProps) {
  const t = useMessages("guards");
  const tSealing = useMessages("sealing");
  const [isShown, setShown] = useState(false);
  const ShowIcon = isShown ? EyeOff : Eye;
  // Only this tab can show the password, because the server has its hash alone.
  const typed = guards?.password ? password : undefined;
  return (
    <div className="grid gap-2 text-sm">
      {guards?.sealed && (
        <>
          <p className="flex items-center gap-2 font-medium">
            <KeyRound size={18} aria-hidden className="shrink-0 text-reed" />
            {t("isSealed")}
          </p>
          <p className="rounded-xl border border-amber bg-sunken p-3.5">{tSealing("keepLink")}</p>
        </>
      )}
      {guards?.password && (
        <p className="flex items-center gap-2 font-medium">
          <LockKeyhole size={18} aria-hidden className="shrink-0 text-reed" />
          {t("hasPassword")}
        </p>
      )}
      {typed !== undefined && isShown && (
        <p translate="no" className="rounded-xl bg-sunken px-3.5 py-2.5 font-mono text-base break-all select-all">
          {typed}
        </p>
      )}
      {guards?.maxDownloads != null && (
        <p className="flex items-center gap-2 font-medium">
          <Download size={18} aria-hidden className="shrink-0 text-reed" />
          {t("hasLimit", { count: guards.maxDownloads })}
        </p>
      )}
      <div className="flex flex-wrap gap-2 text-base">
        {typed !== undefined && (
          <>
            <Button icon={ShowIcon} look="quiet" onClick={() => setShown(!isShown)}>
              {t(isShown ? "hidePassword" : "showPassword")}
            </Button>
            <CopyPassword password={typed} />
          </>
        )}
        <Button icon={LockKeyhole} look="quiet" onClick={onOpen}>
          {t(guards ? "change" : "protect")}
        </Button>
      </div>
    </div>
  );
}

interface ProtectionDialogProps {
  /** The upload's id. */
  id: string;
  name: string;
  known: KnownProtection;
  onChange(known: KnownProtection): void;
  onClose(): void;
}

export function ProtectionDialog({ id, name, known, onChange, onClose }: ProtectionDialogProps) {
  return (
    <Suspense>
      <LazyProtectionDialog
        id={id}
        name={name}
        onSaved={({ guards, password, shareUrl = known.shareUrl }) => {
          const kept = password === undefined ? known.password : (password ?? undefined);
          onChange({ guards, password: kept, shareUrl });
        }}
        onClose={onClose}
      />
    </Suspense>
  );
}
