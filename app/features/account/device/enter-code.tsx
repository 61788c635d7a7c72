import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { controlClass, FormField } from "#app/ui/form-field.tsx";
import { readUserCode } from "#domain/device-codes.ts";
import type { TypedCode } from "./confirm-device.tsx";
import { deviceApi } from "./device-api.ts";

/** The address of the page never has the code: whoever agrees has read it in the program. */
export function EnterCode({ onFound }: { onFound(typed: TypedCode): void }) {
  const t = useMessages("device");
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState("");
  const find = useMutation({
    mutationFn: async (userCode: string) => ({ userCode, device: await deviceApi.find(userCode) }),
    onSuccess: onFound,
    onError: (failure) => {
      refuse(failure instanceof ApiError ? failure.message : t("tryAgain"));
    },
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
        {/* Not `disabled`, which would lose the focus. */}
        <Button type="submit" wide busy={find.isPending}>
          {t(find.isPending ? "checking" : "next")}
        </Button>
      </form>
    </Card>
  );
}
