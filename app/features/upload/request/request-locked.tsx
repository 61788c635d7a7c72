import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { ApiError, call } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { fieldAttributes, FieldFrame } from "#app/ui/form-field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import type { OpenedRequest } from "./opened-request.ts";

interface RequestLockedProps {
  token: string;
  title: string;
  onOpened(opened: OpenedRequest): void;
  /** It does not exist any more, or is closed. */
  onEnded(): void;
}

/** Asks for the password of a request. */
export function RequestLocked({ token, title, onOpened, onEnded }: RequestLockedProps) {
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
