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
import { useUpload } from "#app/upload/use-upload.ts";
import { formatBytes } from "#domain/units.ts";

const STEPS = [
  "Your browser sends the file straight to S3 object storage, in parts and several at a time.",
  "Each part has an address of its own that works for one hour, for that part alone.",
  "Where your browser cannot reach storage, the storage settings are repaired once; where that does not help, the parts go through our server.",
  "Whatever way they took, the parts are put together in storage, and your link leads to the file.",
];

export default function DirectUploadPage() {
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
      title="Direct-to-S3 Upload"
      lead="The fastest way: from your browser straight into storage."
      tab="Direct Upload"
      steps={STEPS}
    >
      <TransferCard method="direct" askToSignIn={setFileSizeBytes}>
        <MethodLine />
      </TransferCard>
      <FixCors />
      {fileSizeBytes !== null && (
        <SignInQuestion
          title="Account Required"
          signUpLabel="Create Account"
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
          You need an account to upload this file ({formatBytes(fileSizeBytes)}).
        </SignInQuestion>
      )}
    </UploadPage>
  );
}

/** Which way the bytes are going, and how many of the parts are there. */
function MethodLine() {
  const upload = useUpload();
  if (upload.mode !== "sending") return null;
  const { finishing, parts } = upload;
  const method = finishing
    ? "Processing on the server"
    : upload.road === "direct"
      ? "Direct browser to storage"
      : "Server proxy";
  return (
    <div className="mb-4 text-sm">
      <p role="status" className="font-medium text-reed">
        Method: {method}
      </p>
      {parts && (
        <p className="text-muted tabular-nums">
          {parts.completed} of {parts.total} {parts.total === 1 ? "part" : "parts"} stored
          {!finishing && ` · current part ${parts.currentPercent} %`}
        </p>
      )}
    </div>
  );
}

function FixCors() {
  const fix = useMutation({
    mutationFn: () => api.fixCors(),
    onSuccess: ({ message }) => {
      toast({ title: "CORS settings updated", description: message });
    },
    onError: (error) => {
      const answered = error instanceof ApiError;
      const fallback = "Failed to update S3 CORS settings. Please try again later.";
      toast({
        title: answered ? "CORS update failed" : "CORS update error",
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
      {fix.isPending ? "Fixing…" : "Manually Fix S3 CORS"}
    </Button>
  );
}
