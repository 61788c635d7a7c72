import { useRevalidator, Link } from "@remix-run/react";
import { FileX, Hourglass, Timer } from "lucide-react";
import { useState, useEffect, useId, useRef, type FormEvent } from "react";
import { call, ApiError } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass, Button } from "#app/ui/button.tsx";
import { Card, TitleCard } from "#app/ui/card.tsx";
import { fieldAttributes, FieldFrame } from "#app/ui/form-field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import type { ReadUploadRequestAnswer } from "#domain/wire.ts";
import type { RequestView } from "#worker/page-types.ts";
import { grantHeader, type UnlockedRequest } from "./unlocked-request.ts";
import { RequestBounds } from "./request-bounds.tsx";
import { SendingCard } from "./sending-card.tsx";

/** The page behind the link of an upload request. */
export function RequestPage({ token, view }: { token: string; view: RequestView }) {
  if (view.kind === "refused") return <RequestRefused {...view} />;
  return <Request key={token} token={token} read={view.request} />;
}

function Request({ token, read }: { token: string; read: ReadUploadRequestAnswer }) {
  const t = useMessages("requestPage");
  const [opened, setOpened] = useState<UnlockedRequest | null>(
    read.needsPassword ? null : { request: read, grant: null },
  );
  const revalidator = useRevalidator();
  if (!opened) {
    return (
      <RequestLocked token={token} title={read.title} onOpened={setOpened} onEnded={() => revalidator.revalidate()} />
    );
  }
  const { request, grant } = opened;
  // The room of a request changes with every upload, also with the uploads of other senders.
  const refresh = async () => {
    const headers = grantHeader(grant);
    const answer = await call("GET /api/requests/by-link/:token", { params: { token }, credentials: "omit", headers });
    setOpened(answer.needsPassword ? null : { request: answer, grant });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <header>
        <p className="text-sm font-medium text-reed">{t("asked")}</p>
        <h1 className="mt-1 font-display text-3xl font-semibold break-words sm:text-4xl">{request.title}</h1>
        {request.note !== "" && <p className="mt-3 break-words whitespace-pre-line">{request.note}</p>}
        <RequestBounds request={request} />
      </header>
      <SendingCard token={token} request={request} grant={grant} onChanged={refresh} />
      <p className="text-center text-sm text-muted">{t("whoSees")}</p>
    </div>
  );
}

/** The page for a link that does not exist, has been closed, or was requested too often. */
function RequestRefused({ status, message }: RequestView & { kind: "refused" }) {
  const t = useMessages("requestPage");
  if (status === 429) {
    return (
      <TitleCard icon={Timer} isWarning title={t("tryLater")}>
        <p className="mt-2 mb-7 text-muted">{message}</p>
        <a href="" className={buttonClass("quiet")}>
          {t("tryAgain")}
        </a>
      </TitleCard>
    );
  }
  const isClosed = status === 410;
  return (
    <TitleCard icon={isClosed ? Hourglass : FileX} isWarning title={t(isClosed ? "closed" : "notFound")}>
      <p className="mt-2 mb-7 text-muted">{t(isClosed ? "closedHelp" : "notFoundHelp")}</p>
      <Link to="/" className={buttonClass("quiet")}>
        {t("sendYourOwn")}
      </Link>
    </TitleCard>
  );
}

interface RequestLockedProps {
  token: string;
  title: string;
  onOpened(opened: UnlockedRequest): void;
  /** Called when the request does not exist any more, or is closed. */
  onEnded(): void;
}

/** Asks for the password of a request. */
function RequestLocked({ token, title, onOpened, onEnded }: RequestLockedProps) {
  const t = useMessages("requestPage");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    input.current?.focus();
  }, []);
  const refuse = (message: string) => {
    setProblem(message);
    input.current?.focus();
    input.current?.select();
  };
  const unlock = async (password: string) => {
    setBusy(true);
    try {
      const body = { password };
      const path = "POST /api/requests/by-link/:token/unlock";
      const { request, grant } = await call(path, { params: { token }, body, credentials: "omit" });
      onOpened({ request, grant });
    } catch (error) {
      if (error instanceof ApiError && [404, 410].includes(error.status)) onEnded();
      else refuse(error instanceof ApiError ? messageOf(error, t("unlockFailed")) : t("unlockFailed"));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card>
      <p className="text-sm font-medium text-reed">{t("asked")}</p>
      <h1 className="mt-1 font-display text-3xl font-semibold break-words">{title}</h1>
      <p className="mt-3 mb-6 text-muted">{t("passwordHelp")}</p>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          const password = input.current?.value ?? "";
          if (password === "") refuse(t("passwordMissing"));
          else if (!isBusy) void unlock(password);
        }}
      >
        <FieldFrame id={id} label={t("password")} error={problem}>
          <PasswordInput
            ref={input}
            {...fieldAttributes(id, null, problem)}
            isShown={isShown}
            showLabel={t("showPassword")}
            onShow={setShown}
            maxLength={1000}
            readOnly={isBusy}
          />
        </FieldFrame>
        <Button type="submit" wide busy={isBusy}>
          {t(isBusy ? "unlocking" : "unlock")}
        </Button>
      </form>
    </Card>
  );
}
