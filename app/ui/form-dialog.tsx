import { Dialog, type DialogProps } from "./dialog.tsx";
import { Form, type FormProps } from "./form.tsx";

/** A dialog that is a form. Its `no` closes it. */
export function FormDialog({ title, description, focusAfter, onClose, ...form }: DialogProps & FormProps) {
  return (
    <Dialog title={title} description={description} onClose={onClose} {...(focusAfter && { focusAfter })}>
      <Form {...form} onNo={onClose} />
    </Dialog>
  );
}
