/** The page that deletes what a program has sent. */
export const deletion = {
  title: "Delete this?",
  lead: "The link to “{name}” will stop working at once, and its bytes are deleted. This cannot be undone.",
  confirm: "Delete for good",
  gone: "Nothing to delete",
  goneHelp: "This has been deleted already, or the address is not complete.",
} as const;
