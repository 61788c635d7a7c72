import { Link } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode, type FormEvent } from "react";
import { ApiError, call } from "#app/lib/api.ts";
import { NotConfirmed, callConfirmed, useAtWork } from "#app/lib/confirming.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass, Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { controlClass, FormField } from "#app/ui/form-field.tsx";
import { readUserCode, DEVICE_KEY_LIFETIME, DEVICE_KEY_SCOPES } from "#domain/device-codes.ts";
import type { WaitingDevice } from "#domain/wire.ts";

type Step = { kind: "enter" } | ({ kind: "confirm" } & TypedCode) | { kind: "approved" | "refused"; name: string };

/** Approves the sign-in of a program such as the CLI: asks for its code, shows the program, and tells the result. */
export function SignInDevice() {
  const t = useMessages("device");
  const [step, setStep] = useState<Step>({ kind: "enter" });
  if (step.kind === "enter") {
    return <EnterCode onFound={(typed) => setStep({ kind: "confirm", ...typed })} />;
  }
  if (step.kind === "confirm") {
    const { userCode, device } = step;
    return (
      <StepCard title={t("confirmTitle", { name: device.name })}>
        <ConfirmDevice
          userCode={userCode}
          device={device}
          onDecided={(kind) => setStep({ kind, name: device.name })}
          onLeave={() => setStep({ kind: "enter" })}
        />
      </StepCard>
    );
  }
  const isApproved = step.kind === "approved";
  return (
    <StepCard title={isApproved ? t("approvedTitle", { name: step.name }) : t("refusedTitle")}>
      <p className="text-muted">{t(isApproved ? "approvedHelp" : "refusedHelp")}</p>
      <Link to="/account" className={`${buttonClass("quiet")} mt-5`}>
        {t("account")}
      </Link>
    </StepCard>
  );
}

/** A card whose title takes the focus, because the element that had the focus is gone. */
function StepCard({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [title]);
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-3 text-lg font-medium break-words outline-none">
        {title}
      </h2>
      {children}
    </Card>
  );
}

/**
 * Asks for the code. The page's URL never holds the code, so that a person who approves it has read it in their
 * program.
 */
function EnterCode({ onFound }: { onFound(typed: TypedCode): void }) {
  const t = useMessages("device");
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState("");
  const find = useMutation({
    // Fails for a code that is unknown or has ended.
    mutationFn: async (userCode: string) => ({
      userCode,
      device: await call("POST /api/auth/device", { body: { userCode } }),
    }),
    onSuccess: onFound,
    onError: (failure) => refuse(failure instanceof ApiError ? failure.message : t("tryAgain")),
  });
  useEffect(() => {
    input.current?.focus();
  }, []);

  const refuse = (message: string) => {
    setError(message);
    input.current?.focus();
    input.current?.select();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (find.isPending) return;
    const userCode = readUserCode(input.current?.value ?? "");
    setError("");
    if (userCode === null) refuse(t("codeWrong"));
    else find.mutate(userCode);
  };
  return (
    <Card>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          ref={input}
          label={t("code")}
          hint={t("codeHint")}
          name="userCode"
          error={error}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          readOnly={find.isPending}
          className={`${controlClass} font-mono uppercase`}
        />
        <span role="status" className="sr-only">
          {error}
        </span>
        <Button type="submit" wide busy={find.isPending}>
          {t(find.isPending ? "checking" : "next")}
        </Button>
      </form>
    </Card>
  );
}

/** A typed code, and the program that waits for its approval. */
interface TypedCode {
  userCode: string;
  device: WaitingDevice;
}

type Decision = "approved" | "refused";

interface ConfirmDeviceProps extends TypedCode {
  onDecided(decision: Decision): void;
  /** Goes back to the field for another code. */
  onLeave(): void;
}

/** Shows which program asks and what it may do, because the code may come from somebody else's program. */
function ConfirmDevice({ userCode, device, onDecided, onLeave }: ConfirmDeviceProps) {
  const t = useMessages("device");
  const tKeys = useMessages("apiKeys");
  const date = useMoment();
  const decide = useMutation({
    mutationFn: async (decision: Decision) => {
      if (decision === "approved") await callConfirmed("POST /api/auth/device/approve", { body: { userCode } });
      else await call("POST /api/auth/device/refuse", { body: { userCode } });
      return decision;
    },
    onSuccess: onDecided,
  });
  const isAtWork = useAtWork(decide.isPending);
  const error = decide.error instanceof NotConfirmed ? null : decide.error;
  const facts = [
    ["device", device.name],
    ["address", device.address],
    ["askedAt", date(device.askedAt)],
  ] as const;
  const answer = (decision: Decision) => {
    if (!decide.isPending) decide.mutate(decision);
  };
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm text-muted sm:leading-6">{t(name)}</dt>
            <dd className="mb-2 min-w-0 break-words sm:mb-0">{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <p>{t("may", { time: tKeys(`expiry_${DEVICE_KEY_LIFETIME}`) })}</p>
        <ul className="mt-1 list-disc ps-5 text-muted">
          {DEVICE_KEY_SCOPES.map((scope) => (
            <li key={scope}>{tKeys(scope)}</li>
          ))}
        </ul>
      </div>
      <p className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">{t("warning")}</p>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error instanceof ApiError ? error.message : t("tryAgain")}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          busy={decide.isPending && decide.variables === "approved"}
          aria-disabled={decide.isPending}
          onClick={() => answer("approved")}
        >
          {t(isAtWork ? "working" : "approve")}
        </Button>
        <Button
          look="danger"
          busy={decide.isPending && decide.variables === "refused"}
          aria-disabled={decide.isPending}
          onClick={() => answer("refused")}
        >
          {t("refuse")}
        </Button>
        {error && (
          <Button look="quiet" onClick={onLeave}>
            {t("other")}
          </Button>
        )}
      </div>
    </div>
  );
}
