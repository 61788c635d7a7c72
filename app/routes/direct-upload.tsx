import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useNavigate } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ApiError } from "#app/api.ts";
import { useAuthDialog, type AuthTab } from "#app/components/auth-dialog-context.ts";
import { SignInQuestion } from "#app/components/sign-in-question.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { TransferCard } from "#app/components/upload-card/transfer-card.tsx";
import { UploadPage } from "#app/components/upload-page.tsx";
import { messagesFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useUpload } from "#app/upload/use-upload.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: messagesFor(request, "uploads", "uploadPages", "expirations"),
});

const STEPS = ["directSent", "directAddresses", "directRepaired", "directJoined"] as const;

export default function DirectUploadPage() {
  const say = useMessages("uploadPages");
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
      title={say("directTitle")}
      lead={say("directLead")}
      tab={say("directTab")}
      steps={STEPS.map((step) => say(step))}
    >
      <TransferCard method="direct" askToSignIn={setFileSizeBytes}>
        <MethodLine />
      </TransferCard>
      <FixCors />
      {fileSizeBytes !== null && (
        <SignInQuestion
          title={say("accountRequired")}
          signUpLabel={say("createAccount")}
          onLogin={() => {
            signIn("login");
          }}
          onSignUp={() => {
            signIn("register");
          }}
          onClose={() => {
            setFileSizeBytes(null);
          }}
        >
          {say("needAccount", { size: formatBytes(fileSizeBytes, say.locale) })}
        </SignInQuestion>
      )}
    </UploadPage>
  );
}

/** Which way the bytes are going, and how many of the parts are there. */
function MethodLine() {
  const say = useMessages("uploadPages");
  const upload = useUpload();
  if (upload.mode !== "sending") return null;
  const { finishing, parts } = upload;
  const method = finishing ? "methodServer" : upload.road === "direct" ? "methodDirect" : "methodProxy";
  return (
    <div className="mb-4 text-sm">
      <p role="status" className="font-medium text-reed">
        {say("methodIs", { method: say(method) })}
      </p>
      {parts && (
        <p className="text-muted tabular-nums">
          {say("partsStored", parts)}
          {!finishing && ` · ${say("currentPart", { percent: parts.currentPercent })}`}
        </p>
      )}
    </div>
  );
}

function FixCors() {
  const say = useMessages("uploadPages");
  const fix = useMutation({
    mutationFn: () => api.fixCors(),
    onSuccess: ({ message }) => {
      toast({ title: say("corsUpdated"), description: message });
    },
    onError: (error) => {
      const answered = error instanceof ApiError;
      const fallback = say("corsErrorText");
      toast({
        title: say(answered ? "corsFailed" : "corsError"),
        description: answered ? error.message || fallback : fallback,
        tone: "bad",
      });
    },
  });
  return (
    <Button
      look="quiet"
      className="mt-5"
      disabled={fix.isPending}
      onClick={() => {
        fix.mutate();
      }}
    >
      {say(fix.isPending ? "fixing" : "fixCors")}
    </Button>
  );
}
