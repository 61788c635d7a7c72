import { Dialog, type DialogProps } from "./dialog.tsx";
import { Form, type FormProps } from "./form.tsx";

/** A dialog with a form. The form's `no` button closes the dialog. */
export function FormDialog({ title, description, focusAfter, onClose, ...form }: DialogProps & FormProps) {
  return (
    <Dialog title={title} description={description} onClose={onClose} {...(focusAfter && { focusAfter })}>
      <Form {...form} onNo={onClose} />
    </Dialog>
  );
}
