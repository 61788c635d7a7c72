interface FormIssues {
  issues: { path: PropertyKey[]; message: string }[];
}

/** The first message of each field that is wrong, by the field's name. */
export function fieldErrors(error: FormIssues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? "")] ??= message;
  return errors;
}

/** What an error says, or the fallback. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== "" ? error.message : fallback;
}
