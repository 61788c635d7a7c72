import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useNavigate } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SignInDialog, UploadPageCard, UploadPage } from "#app/features/upload/upload-page.tsx";
import { useUpload } from "#app/features/upload/use-upload-card.ts";
import { ApiError, call, serverMessage } from "#app/lib/api.ts";
import { useAuthDialog, type AuthTab } from "#app/lib/auth-dialog.ts";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: loadMessages(
    request,
    "uploads",
    "guards",
    "sealing",
    "sharing",
    "transferUpload",
    "transfers",
    "uploadPages",
    "expirations",
    "feed",
  ),
});

const STEPS = ["directSent", "directAddresses", "directRepaired", "directJoined"] as const;

export default function DirectUploadPage() {
  const t = useMessages("uploadPages");
  const navigate = useNavigate();
  const openAuth = useAuthDialog();
  const [fileSizeBytes, setFileSizeBytes] = useState<number | null>(null);
  const signIn = (tab: AuthTab) => {
    setFileSizeBytes(null);
    navigate("/");
    openAuth({ tab });
  };
  return (
    <UploadPage
      title={t("directTitle")}
      lead={t("directLead")}
      tab={t("directTab")}
      steps={STEPS.map((step) => t(step))}
    >
      <UploadPageCard method="direct" askToSignIn={setFileSizeBytes}>
        <MethodStatus />
      </UploadPageCard>
      <FixCors />
      {fileSizeBytes !== null && (
        <SignInDialog
          title={t("accountRequired")}
          signUpLabel={t("createAccount")}
          onLogin={() => signIn("login")}
          onSignUp={() => signIn("register")}
          onClose={() => setFileSizeBytes(null)}
        >
          {t("needAccount", { size: formatBytes(fileSizeBytes, t.locale) })}
        </SignInDialog>
      )}
    </UploadPage>
  );
}

function MethodStatus() {
  const t = useMessages("uploadPages");
  const upload = useUpload();
  const current = upload.mode === "transfer" ? upload.view : upload;
  if (current === null || !("transport" in current)) return null;
  const { finishing, transport } = current;
  const parts = "parts" in current ? current.parts : null;
  const method = finishing ? "methodServer" : transport === "direct" ? "methodDirect" : "methodProxy";
  return (
    <div className="mb-4 text-sm">
      <p role="status" className="font-medium text-reed">
        {t("methodIs", { method: t(method) })}
      </p>
      {parts && (
        <p className="text-muted tabular-nums">
          {t("partsStored", parts)}
          {!finishing && ` · ${t("currentPart", { percent: parts.currentPercent })}`}
        </p>
      )}
    </div>
  );
}

function FixCors() {
  const t = useMessages("uploadPages");
  const fix = useMutation({
    mutationFn: () => call("POST /api/diagnostics/public-fix-cors"),
    onSuccess: ({ success, message }) => {
      if (success) toast({ title: t("corsUpdated"), description: message });
      else toast({ title: t("corsFailed"), description: message || t("corsErrorText"), tone: "bad" });
    },
    onError: (error) => {
      const title = t(error instanceof ApiError ? "corsFailed" : "corsError");
      toast({ title, description: serverMessage(error) ?? t("corsErrorText"), tone: "bad" });
    },
  });
  return (
    <Button look="quiet" className="mt-5" busy={fix.isPending} onClick={() => fix.mutate()}>
      {t(fix.isPending ? "fixing" : "fixCors")}
    </Button>
  );
}
