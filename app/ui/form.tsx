import type { ReactNode } from "react";
import { useAtWork } from "#app/lib/confirming.ts";
import type { FormControl } from "#app/lib/use-form.ts";
import { Button } from "./button.tsx";

export interface FormProps extends Pick<FormControl, "busy" | "onSubmit"> {
  /** What the button says, and what it says while the form is sent. */
  button: readonly [action: string, pending: string];
  look?: "primary" | "danger";
  /**
   * The form asks the person to confirm a call. Its own call may wait for that, and the form behind it does not react.
   */
  confirms?: boolean;
  /** The button is as wide as its words. */
  fit?: boolean;
  /** Beside the button, another one that does not send. */
  no?: string | undefined;
  onNo?(): void;
  children: ReactNode;
}

/** Fields, and below them the button that sends them. A person who is asked to confirm does not wait for it. */
export function Form(props: FormProps) {
  const { busy, onSubmit, button, look = "primary", confirms = false, fit = false, no, onNo, children } = props;
  const isAtWork = useAtWork(busy) || (confirms && busy);
  const send = (
    <Button type="submit" look={look} className={fit ? "justify-self-start" : ""} busy={isAtWork}>
      {button[isAtWork ? 1 : 0]}
    </Button>
  );
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        // React passes events on to the form in which the dialog was opened.
        if (confirms) event.stopPropagation();
        onSubmit(event);
      }}
    >
      {children}
      {no === undefined ? (
        send
      ) : (
        <div className="grid grid-cols-2 gap-3">
          <Button look="quiet" onClick={onNo}>
            {no}
          </Button>
          {send}
        </div>
      )}
    </form>
  );
}
