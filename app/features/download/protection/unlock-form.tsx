import { useEffect, useId, useRef, useState, type FormEvent, type RefObject } from "react";
import { call } from "#app/lib/api.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { forRecipient, useRecipient } from "../recipient.ts";
import { changesPage, refusalOf, retryAtOf, type Refusal, useIsBefore } from "../refusal.ts";

interface UnlockFormProps {
  downloadId: string;
  /** Why the server refused a form that was posted without a script. */
  refusal: Refusal | null;
  /** Whether the page's data is being reloaded. */
  isLoading?: boolean;
  /** Checks a password that no server may see. Default: the server checks the password. @throws ApiError if wrong */
  send?: ((password: string) => Promise<unknown>) | undefined;
  /** Called when the link is unlocked, and also if the link has ended. */
  onUnlocked(): void;
}

/** Asks for a link's password. Without a script the form is posted, and the next page says what was wrong. */
export function UnlockForm({ downloadId, refusal, isLoading = false, send, onUnlocked }: UnlockFormProps) {
  const t = useMessages("guardedLinks");
  const recipient = useRecipient();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setIsShown] = useState(false);
  const { problem, isWaiting, isSending, onSubmit } = useUnlock(
    send ??
      ((password) =>
        call("POST /api/files/download/:downloadId/unlock", { params: { downloadId }, body: { password } })),
    refusal,
    input,
    onUnlocked,
  );
  const isBusy = isSending || isLoading;
  useEffect(() => {
    input.current?.focus();
  }, []);
  return (
    <form
      {...(!send && { method: "post", action: forRecipient(`/api/files/download/${downloadId}/unlock`, recipient) })}
      noValidate
      className="grid gap-4 text-start"
      onSubmit={onSubmit}
    >
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          {t("password")}
        </label>
        <PasswordInput
          ref={input}
          id={id}
          name="password"
          isShown={isShown}
          showLabel={t("showPassword")}
          onShow={setIsShown}
          maxLength={1000}
          readOnly={isBusy}
          aria-invalid={problem !== null && problem.code !== "RATE_LIMITED" ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
        />
        {problem && (
          <p key={problem.number} id={`${id}-problem`} role="alert" className="text-sm text-danger">
            {problem.message}
          </p>
        )}
      </div>
      {/* The `disabled` attribute would lose the focus. */}
      <Button type="submit" wide busy={isBusy} aria-disabled={isWaiting || isBusy}>
        {t(isBusy ? "unlocking" : "unlock")}
      </Button>
    </form>
  );
}

interface Problem extends Refusal {
  /** When another try is possible, in epoch milliseconds of this browser's clock. */
  retryAt: number | null;
  /** Counts the problems, so that screen readers announce each new problem. */
  number: number;
}

interface Unlock {
  problem: Problem | null;
  isWaiting: boolean;
  isSending: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

function useUnlock(
  send: (password: string) => Promise<unknown>,
  refusal: Refusal | null,
  input: RefObject<HTMLInputElement>,
  onUnlocked: () => void,
): Unlock {
  const t = useMessages("guardedLinks");
  const hydrated = useHydrated();
  const [problem, setProblem] = useState<Problem | null>(
    () => refusal && { ...refusal, retryAt: retryAtOf(refusal), number: 0 },
  );
  const [isSending, setIsSending] = useState(false);
  const retryAt = problem?.retryAt ?? null;
  const isWaiting = useIsBefore(retryAt);
  const isOver = hydrated && retryAt !== null && !isWaiting;

  const refuse = (refused: Refusal) => {
    setProblem({ ...refused, retryAt: retryAtOf(refused), number: (problem?.number ?? 0) + 1 });
    input.current?.focus();
    input.current?.select();
  };
  const say = (message: string) => refuse({ code: "", message, waitSeconds: null });
  const unlock = async (password: string) => {
    setIsSending(true);
    try {
      await send(password);
      onUnlocked();
    } catch (error) {
      if (changesPage(error)) onUnlocked();
      else refuse(refusalOf(error, t("unlockFailed")));
    } finally {
      setIsSending(false);
    }
  };
  return {
    problem: isOver ? null : problem,
    isWaiting,
    isSending,
    onSubmit: (event) => {
      event.preventDefault();
      if (isWaiting || isSending) return;
      const password = input.current?.value ?? "";
      if (password === "") say(t("passwordMissing"));
      else if (!navigator.cookieEnabled) say(t("cookiesNeeded"));
      else void unlock(password);
    },
  };
}
