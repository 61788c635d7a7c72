import { useMutation } from "@tanstack/react-query";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { useAnswerForm } from "#app/lib/use-answer-form.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { codeRequest, passwordForm, type AdminConfirmRequest, type PasskeyAssertion } from "#domain/wire.ts";
import { adminErrorMessage } from "./admin-changes.ts";

interface ShowFactorProps {
  methods: readonly ConfirmMethod[];
  purpose: "second-factor" | "confirm";
  /** The label of the button that sends the answer. */
  go: string;
  send(answer: AdminConfirmRequest): Promise<unknown>;
  onDone(): void;
}

/** Asks an administrator for a code, a password or a passkey: the methods that the server accepts. */
export function ShowFactor({ methods, purpose, go, send, onDone }: ShowFactorProps) {
  const kind = methods.includes("code") ? "code" : methods.includes("password") ? "password" : null;
  return (
    <div className="grid gap-3">
      {kind && <TypedFactor kind={kind} go={go} send={send} onDone={onDone} />}
      {methods.includes("passkey") && (
        <PasskeyButton purpose={purpose} send={(passkey) => send({ passkey })} isFirst={!kind} onDone={onDone} />
      )}
    </div>
  );
}

type TypedFactorProps = Pick<ShowFactorProps, "go" | "send" | "onDone"> & { kind: "code" | "password" };

function TypedFactor({ kind, go, send, onDone }: TypedFactorProps) {
  const t = useMessages("adminFactor");
  const { field, ...form } = useAnswerForm(kind === "code" ? codeRequest : passwordForm, {
    fallback: t("failed"),
    wording: adminErrorMessage,
    send: async (answer) => {
      await send(answer);
      onDone();
    },
  });
  const isCode = kind === "code";
  return (
    <Form {...form} button={[go, t("checking")]} confirms>
      <FormField
        label={t(isCode ? "codeOfApp" : "yourPassword")}
        type={isCode ? "text" : "password"}
        inputMode={isCode ? "numeric" : "text"}
        autoComplete={isCode ? "one-time-code" : "current-password"}
        autoFocus
        {...field(kind)}
      />
    </Form>
  );
}

interface PasskeyButtonProps {
  purpose: "login" | "second-factor" | "confirm";
  send(passkey: PasskeyAssertion): Promise<unknown>;
  /** Whether a passkey is the only method shown. */
  isFirst?: boolean;
  onDone(): void;
}

/** Asks for a passkey. In a browser without passkeys, says so if no other method is shown, and else renders nothing. */
export function PasskeyButton({ purpose, send, isFirst = false, onDone }: PasskeyButtonProps) {
  const t = useMessages("adminFactor");
  const isKnown = useKnowsPasskeys();
  const show = useMutation({
    mutationFn: async () => {
      const passkey = await adminApi.askForPasskey(purpose);
      if (passkey) await send(passkey);
      return passkey !== null;
    },
    onSuccess: (isShown) => {
      if (isShown) onDone();
    },
  });
  if (!isKnown) return isFirst ? <p>{t("passkeyNeedsBrowser")}</p> : null;
  return (
    <div className="grid gap-2">
      {show.error && (
        <p role="alert" className="text-sm text-danger">
          {adminErrorMessage(show.error, t("failed"))}
        </p>
      )}
      <Button look={isFirst ? "primary" : "quiet"} wide busy={show.isPending} onClick={() => show.mutate()}>
        {t(show.isPending ? "checking" : "withPasskey")}
      </Button>
    </div>
  );
}
