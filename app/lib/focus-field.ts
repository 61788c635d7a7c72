/** Moves the focus to the first of these fields, so that a screen reader reads it with its error. */
export function focusField(form: HTMLFormElement, names: object): void {
  for (const field of form.elements) {
    const isField =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
    if (isField && field.name in names) {
      field.focus();
      return;
    }
  }
}
