import { useLocation, useNavigate } from "@remix-run/react";
import { useState } from "react";
import { useHydrated } from "#app/clock.ts";
import { SignInQuestion } from "#app/components/sign-in-question.tsx";
import { TransferCard } from "#app/components/upload-card/transfer-card.tsx";
import { UploadPage } from "#app/components/upload-page.tsx";
import { keepPendingFile, readPendingFile } from "#app/pending-file.ts";
import { useCurrentUser } from "#app/session.ts";
import { DEFAULT_CHUNK_BYTES } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

const CHUNK = formatBytes(DEFAULT_CHUNK_BYTES).replace(" ", "");

const STEPS = [
  `Your file is cut into chunks of ${CHUNK}, larger ones for larger files.`,
  "The chunks go through our own server, one after the other. One that fails goes again, up to three times.",
  "A chunk that has arrived is safe: whatever happens afterwards, it need not be sent again.",
  "When the last one is there, they are put together, and your link leads to the file.",
];

export default function ChunkedUploadPage() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [fileSizeBytes, setFileSizeBytes] = useState<number | null>(null);
  const leaveFor = (path: string) => {
    keepPendingFile({ path: pathname, sizeBytes: fileSizeBytes ?? 0 });
    navigate(path);
  };
  return (
    <UploadPage
      title="Large File Upload"
      lead={`Files up to ${formatBytes(limitFor("free").fileSizeBytes)} for free, in chunks of ${CHUNK}.`}
      tab="Chunked Upload"
      steps={STEPS}
    >
      <TransferCard method="chunked" askToSignIn={setFileSizeBytes}>
        <PendingNotice path={pathname} />
      </TransferCard>
      {fileSizeBytes !== null && (
        <SignInQuestion
          title="Login Required"
          signUpLabel="Sign Up"
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
          Please log in or sign up to upload this file ({formatBytes(fileSizeBytes)}).
        </SignInQuestion>
      )}
    </UploadPage>
  );
}

/** Somebody who has come back from signing in is reminded of the file that waits. */
function PendingNotice({ path }: { path: string }) {
  const user = useCurrentUser();
  const hydrated = useHydrated();
  const pending = hydrated && user ? readPendingFile() : null;
  if (pending?.path !== path) return null;
  return (
    <p role="status" className="mb-5 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      You are signed in. Choose your file ({formatBytes(pending.sizeBytes)}) once more to upload it.
    </p>
  );
}
