/** Moves the focus to the first of these fields, so that a screen reader reads it with its error. */
export function focusField(form: HTMLFormElement, names: object): void {
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.name in names) {
      field.focus();
      return;
    }
  }
}
