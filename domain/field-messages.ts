/**
 * The names of the error messages that schemas use, by group: messages of forms, and of API fields without a form.
 * messages/messages.ts extends this interface with the names, because domain/ imports no texts.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- what is added cannot be seen from here
export interface SchemaMessages {}
export type SchemaGroup = keyof SchemaMessages;

/** Checks a message name at compile time, for use as a schema's error message. */
export function messageName<Name extends SchemaMessages[SchemaGroup]>(name: Name): Name {
  return name;
}
