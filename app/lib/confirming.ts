import type { ConfirmMethod } from "#domain/sign-in.ts";
import { ApiError, call } from "./api.ts";

/** @returns false when the person does not want to confirm */
type Ask = (methods: readonly ConfirmMethod[]) => Promise<boolean>;

let ask: Ask | null = null;

/** @param dialog asks the person from now on @returns ends that */
export function askThrough(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** As `call`, for what is sensitive. @throws ApiError CONFIRM_REQUIRED when the person does not confirm */
export const callConfirmed: typeof call = (name, ...options) => goOnConfirmed(() => call(name, ...options));

/**
 * Where the server wants a confirmation, asks for it and then goes on by itself.
 * @throws ApiError CONFIRM_REQUIRED when the person does not confirm
 */
export async function goOnConfirmed<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!ask || !wantsConfirmation(error) || !(await ask(methodsOf(error)))) throw error;
    return send();
  }
}

function wantsConfirmation(error: unknown): error is ApiError {
  return error instanceof ApiError && error.body.code === "CONFIRM_REQUIRED";
}

/** In the order in which the dialog shows them. */
const SHOWN: readonly ConfirmMethod[] = ["passkey", "password", "code", "mailCode"];

function methodsOf({ body }: ApiError): ConfirmMethod[] {
  const methods: unknown = body.methods;
  return Array.isArray(methods) ? SHOWN.filter((method) => methods.includes(method)) : [];
}
