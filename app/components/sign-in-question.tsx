import type { ReactNode } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";

interface SignInQuestionProps {
  title: string;
  signUpLabel: string;
  children: ReactNode;
  onLogin(): void;
  onSignUp(): void;
  onClose(): void;
}

/** Asks a visitor who wants to upload to sign in first. */
export function SignInQuestion({ title, signUpLabel, children, onLogin, onSignUp, onClose }: SignInQuestionProps) {
  const say = useMessages("uploadPages");
  return (
    <Dialog title={title} description={children} onClose={onClose}>
      <div className="grid gap-3">
        <Button onClick={onSignUp}>{signUpLabel}</Button>
        <Button look="quiet" onClick={onLogin}>
          {say("login")}
        </Button>
        <Button look="bare" onClick={onClose}>
          {say("cancel")}
        </Button>
      </div>
    </Dialog>
  );
}
