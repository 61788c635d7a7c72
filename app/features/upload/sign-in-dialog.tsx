import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

interface SignInDialogProps {
  title: string;
  signUpLabel: string;
  children: ReactNode;
  onLogin(): void;
  onSignUp(): void;
  onClose(): void;
}

export function SignInDialog({ title, signUpLabel, children, onLogin, onSignUp, onClose }: SignInDialogProps) {
  const t = useMessages("uploadPages");
  return (
    <Dialog title={title} description={children} onClose={onClose}>
      <div className="grid gap-3">
        <Button onClick={onSignUp}>{signUpLabel}</Button>
        <Button look="quiet" onClick={onLogin}>
          {t("login")}
        </Button>
        <Button look="bare" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </Dialog>
  );
}
