import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLocation, useNavigate } from "@remix-run/react";
import { useState } from "react";
import { SignInQuestion } from "#app/features/upload/sign-in-question.tsx";
import { TransferCard } from "#app/features/upload/transfer-card.tsx";
import { UploadPage } from "#app/features/upload/upload-page.tsx";
import { messagesFor } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { savePendingFile, useFileToChooseAgain } from "#app/features/account/pending-file.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { DEFAULT_CHUNK_BYTES } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: messagesFor(request, "uploads", "uploadPages", "expirations"),
});

const CHUNK = formatBytes(DEFAULT_CHUNK_BYTES).replace(" ", "");

export default function ChunkedUploadPage() {
  const t = useMessages("uploadPages");
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [fileSizeBytes, setFileSizeBytes] = useState<number | null>(null);
  const leaveFor = (path: string) => {
    savePendingFile({ path: pathname, sizeBytes: fileSizeBytes ?? 0, isSignedIn: false });
    navigate(path);
  };
  return (
    <UploadPage
      title={t("chunkedTitle")}
      lead={t("chunkedLead", { size: formatBytes(limitFor("free").fileSizeBytes, t.locale), chunk: CHUNK })}
      tab={t("chunkedTab")}
      steps={[t("chunkedCut", { chunk: CHUNK }), t("chunkedSent"), t("chunkedSafe"), t("chunkedJoined")]}
    >
      <TransferCard method="chunked" askToSignIn={setFileSizeBytes}>
        <PendingNotice path={pathname} />
      </TransferCard>
      {fileSizeBytes !== null && (
        <SignInQuestion
          title={t("loginRequired")}
          signUpLabel={t("signUp")}
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
          {t("pleaseLogIn", { size: formatBytes(fileSizeBytes, t.locale) })}
        </SignInQuestion>
      )}
    </UploadPage>
  );
}

/** Somebody who has come back from signing in is reminded of the file that waits. */
function PendingNotice({ path }: { path: string }) {
  const t = useMessages("uploadPages");
  const user = useCurrentUser();
  const pending = useFileToChooseAgain(path);
  if (user === null || pending === null) return null;
  return (
    <p role="status" className="mb-5 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      {t("fileWaits", { size: formatBytes(pending.sizeBytes, t.locale) })}
    </p>
  );
}
