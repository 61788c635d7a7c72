/**
 * The names of the messages that schemas give, by their group: of forms, and of API fields without a form. They stand
 * where their texts are, and messages/messages.ts adds them here, because domain/ imports no texts.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- what is added cannot be seen from here
export interface SchemaMessages {}
export type SchemaGroup = keyof SchemaMessages;

/** Checks a message name at compile time, for use as a schema's error message. */
export function messageName<Name extends SchemaMessages[SchemaGroup]>(name: Name): Name {
  return name;
}
