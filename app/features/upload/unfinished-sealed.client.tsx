import { KeyRound } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { adoptLink, type AdoptProblem } from "#app/lib/sealing/adopt-link.ts";
import { nameOfManifest, sizeOfManifest, useKeptLink } from "#app/lib/sealing/use-kept-links.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { formatBytes } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { UnfinishedFile, UnfinishedRow, UnfinishedTransfer } from "./unfinished-rows.tsx";

interface UnfinishedSealedProps {
  upload: UnfinishedUpload & { seal: NonNullable<UnfinishedUpload["seal"]> };
  isLive: boolean;
}

/**
 * A row for an unfinished sealed upload. Only a browser with the link's key can show the upload's name and resume the
 * upload.
 */
export default function UnfinishedSealed({ upload, isLive }: UnfinishedSealedProps) {
  const kept = useKeptLink(upload.downloadId, true);
  if (kept === undefined) return null;
  if (kept === null || kept.isOutdated) return <WithoutKey upload={upload} isLive={isLive} />;
  const { manifest } = kept;
  const named = { ...upload, filename: nameOfManifest(manifest), size: sizeOfManifest(manifest) };
  const Row = upload.entries === undefined ? UnfinishedFile : UnfinishedTransfer;
  return <Row upload={named} isLive={isLive} />;
}

function WithoutKey({ upload, isLive }: UnfinishedSealedProps) {
  const t = useMessages("sealing");
  const [isPasting, setPasting] = useState(false);
  const size = formatBytes(upload.size, t.locale);
  return (
    <UnfinishedRow
      upload={{ ...upload, filename: t("unnamed") }}
      isLive={isLive}
      percentHere={null}
      describe={(percent) => t("percentOf", { percent, size })}
    >
      <Button icon={KeyRound} look="quiet" onClick={() => setPasting(true)}>
        {t("pasteToGoOn")}
      </Button>
      {isPasting && <PasteLink upload={upload} onClose={() => setPasting(false)} />}
    </UnfinishedRow>
  );
}

function PasteLink({ upload, onClose }: Pick<UnfinishedSealedProps, "upload"> & { onClose(): void }) {
  const t = useMessages("sealing");
  const userId = useCurrentUser()?.id ?? null;
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<AdoptProblem | null>(null);
  const reportFailure = errorToast(t("openFailed"), t("openFailed"));
  const open = async (form: FormData) => {
    setBusy(true);
    setWrong(null);
    const field = (name: string) => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    };
    try {
      const problem = await adoptLink({ ...upload, userId }, field("link"), field("password"));
      setWrong(problem);
      if (!problem) {
        toast({ title: t("opened"), description: t("openedHelp") });
        onClose();
      }
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const text = wrong && describeProblem(wrong, t);
  const isPassword = wrong?.problem === "wrongPassword";
  return (
    <Dialog title={t("pasteToGoOn")} description={t("pasteHelp")} onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          void open(new FormData(event.currentTarget));
        }}
      >
        <FormField
          label={t("link")}
          name="link"
          autoComplete="off"
          spellCheck={false}
          translate="no"
          error={isPassword ? undefined : (text ?? undefined)}
        />
        {upload.seal.kdf && (
          <FormField
            label={t("linkPassword")}
            name="password"
            type="password"
            autoComplete="off"
            error={isPassword ? (text ?? undefined) : undefined}
          />
        )}
        <Button type="submit" busy={isBusy}>
          {t(isBusy ? "opening" : "open")}
        </Button>
      </form>
    </Dialog>
  );
}

function describeProblem({ problem, characters = 0 }: AdoptProblem, t: Translate<"sealing">): string {
  switch (problem) {
    case "other":
      return t("otherLink");
    case "none":
      return t("noKey");
    case "missing":
      return t("charactersMissing", { count: characters });
    case "newer":
      return t("newerLink");
    case "wrongPassword":
      return t("wrongPassword");
    case "wrongKey":
      return t("wrongKey");
  }
}
