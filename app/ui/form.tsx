import type { ReactNode } from "react";
import { useAtWork } from "#app/lib/confirming.ts";
import type { FormControl } from "#app/lib/use-form.ts";
import { Button } from "./button.tsx";

export interface FormProps extends Pick<FormControl, "busy" | "onSubmit"> {
  /** The submit button's label, and its label while the form is being sent. */
  button: readonly [action: string, pending: string];
  look?: "primary" | "danger";
  /**
   * Whether the form confirms another form's call. The submit button of such a form shows `busy` also while a
   * confirmation is open.
   */
  confirms?: boolean;
  /** Makes the submit button only as wide as its label. */
  fit?: boolean;
  /** The label of a second button, which does not submit. */
  no?: string | undefined;
  onNo?(): void;
  children: ReactNode;
}

/** Fields with a submit button below. The button does not show `busy` while a confirmation of the call is open. */
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
