import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLocation, useNavigate } from "@remix-run/react";
import { useState } from "react";
import { SignInQuestion } from "#app/components/sign-in-question.tsx";
import { TransferCard } from "#app/components/upload-card/transfer-card.tsx";
import { UploadPage } from "#app/components/upload-page.tsx";
import { messagesFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { keepPendingFile, useFileToChooseAgain } from "#app/pending-file.ts";
import { useCurrentUser } from "#app/session.ts";
import { DEFAULT_CHUNK_BYTES } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: messagesFor(request, "uploads", "uploadPages", "expirations"),
});

const CHUNK = formatBytes(DEFAULT_CHUNK_BYTES).replace(" ", "");

export default function ChunkedUploadPage() {
  const say = useMessages("uploadPages");
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [fileSizeBytes, setFileSizeBytes] = useState<number | null>(null);
  const leaveFor = (path: string) => {
    keepPendingFile({ path: pathname, sizeBytes: fileSizeBytes ?? 0, isSignedIn: false });
    navigate(path);
  };
  return (
    <UploadPage
      title={say("chunkedTitle")}
      lead={say("chunkedLead", { size: formatBytes(limitFor("free").fileSizeBytes, say.locale), chunk: CHUNK })}
      tab={say("chunkedTab")}
      steps={[say("chunkedCut", { chunk: CHUNK }), say("chunkedSent"), say("chunkedSafe"), say("chunkedJoined")]}
    >
      <TransferCard method="chunked" askToSignIn={setFileSizeBytes}>
        <PendingNotice path={pathname} />
      </TransferCard>
      {fileSizeBytes !== null && (
        <SignInQuestion
          title={say("loginRequired")}
          signUpLabel={say("signUp")}
          onLogin={() => {
            leaveFor("/login");
          }}
          onSignUp={() => {
            leaveFor("/register");
          }}
          onClose={() => {
            setFileSizeBytes(null);
          }}
        >
          {say("pleaseLogIn", { size: formatBytes(fileSizeBytes, say.locale) })}
        </SignInQuestion>
      )}
    </UploadPage>
  );
}

/** Somebody who has come back from signing in is reminded of the file that waits. */
function PendingNotice({ path }: { path: string }) {
  const say = useMessages("uploadPages");
  const user = useCurrentUser();
  const pending = useFileToChooseAgain(path);
  if (user === null || pending === null) return null;
  return (
    <p role="status" className="mb-5 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      {say("fileWaits", { size: formatBytes(pending.sizeBytes, say.locale) })}
    </p>
  );
}
