import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLocation, useNavigate } from "@remix-run/react";
import { useState } from "react";
import { SignInDialog, UploadPageCard, UploadPage } from "#app/features/upload/upload-page.tsx";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { savePendingFile, useFileToChooseAgain } from "#app/lib/pending-file.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import type { Locale } from "#domain/locale.ts";
import { CHUNK_SIZES, DEFAULT_CHUNK_BYTES } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: loadMessages(request, "uploads", "guards", "sealing", "sharing", "uploadPages", "expirations", "feed"),
});

export default function ChunkedUploadPage() {
  const t = useMessages("uploadPages");
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // Removes the space between number and unit, as specified for English: "256KB". German has a non-breaking space,
  // which stays.
  const chunk = formatBytes(DEFAULT_CHUNK_BYTES, t.locale).replace(" ", "");
  const [fileSizeBytes, setFileSizeBytes] = useState<number | null>(null);
  const navigateToAuth = (path: string) => {
    savePendingFile({ path: pathname, sizeBytes: fileSizeBytes ?? 0, isSignedIn: false });
    navigate(path);
  };
  return (
    <UploadPage
      title={t("chunkedTitle")}
      lead={t("chunkedLead", { size: formatBytes(limitFor("free").fileSizeBytes, t.locale), chunk })}
      tab={t("chunkedTab")}
      steps={[
        t("chunkedCut", { small: chunk, ...largerChunks(t.locale) }),
        t("chunkedSent"),
        t("chunkedSafe"),
        t("chunkedJoined"),
      ]}
    >
      <UploadPageCard method="chunked" askToSignIn={setFileSizeBytes}>
        <PendingNotice path={pathname} />
      </UploadPageCard>
      {fileSizeBytes !== null && (
        <SignInDialog
          title={t("loginRequired")}
          signUpLabel={t("signUp")}
          onLogin={() => navigateToAuth("/login")}
          onSignUp={() => navigateToAuth("/register")}
          onClose={() => setFileSizeBytes(null)}
        >
          {t("pleaseLogIn", { size: formatBytes(fileSizeBytes, t.locale) })}
        </SignInDialog>
      )}
    </UploadPage>
  );
}

function largerChunks(locale: Locale) {
  const [small, middle, large] = CHUNK_SIZES;
  return {
    smallUpTo: formatBytes(small.upToBytes, locale),
    middle: formatBytes(middle.chunkBytes, locale),
    middleUpTo: formatBytes(middle.upToBytes, locale),
    large: formatBytes(large.chunkBytes, locale),
  };
}

/** Reminds a person who has just signed in to choose their file again. */
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
