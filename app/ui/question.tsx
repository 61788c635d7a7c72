import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface QuestionProps {
  title: string;
  /** What happens then. */
  text: ReactNode;
  /** Labels of the buttons. */
  yes: string;
  no: string;
  /** It is being done. */
  isBusy: boolean;
  look?: "danger" | "primary";
  focusAfter?(): HTMLElement | null;
  onYes(): void;
  onClose(): void;
}

/** Asks before something is done. Stays open until its caller closes it, so that a failure can be tried again. */
export function Question({ title, text, yes, no, isBusy, look = "danger", onYes, onClose, ...others }: QuestionProps) {
  return (
    <Dialog title={title} description={text} onClose={onClose} {...others}>
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {no}
        </Button>
        <Button look={look} busy={isBusy} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
