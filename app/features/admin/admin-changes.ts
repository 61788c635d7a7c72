import { useRevalidator } from "@remix-run/react";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError, serverMessage } from "#app/lib/api.ts";
import { errorToast } from "#app/ui/error-toast.ts";

interface AdminMutationOptions<Input> {
  change(input: Input): Promise<unknown>;
  onSuccess(input: Input): void;
  onError(error: unknown): void;
}

/** A mutation whose success reloads the page's data. */
export function useAdminMutation<Input = void>({
  change,
  onSuccess,
  onError,
}: AdminMutationOptions<Input>): UseMutationResult<unknown, unknown, Input> {
  const { revalidate } = useRevalidator();
  const handleError = useAdminErrorHandler(onError);
  return useMutation({
    mutationFn: change,
    onSuccess: (_answer, input) => {
      revalidate();
      onSuccess(input);
    },
    onError: handleError,
  });
}

/** @returns a handler that calls `onError`, and reloads the page's data if the admin session has ended */
export function useAdminErrorHandler(onError: (error: unknown) => void): (error: unknown) => void {
  const { revalidate } = useRevalidator();
  return useCallback(
    (error) => {
      onError(error);
      if (error instanceof ApiError && error.body.code === "ADMIN_REQUIRED") revalidate();
    },
    [onError, revalidate],
  );
}

export function adminErrorMessage(error: unknown, fallback: string): string {
  // For a 401, `error.message` asks for the user login; administrators need the server's message.
  return serverMessage(error) ?? fallback;
}

/** Does what `errorToast` does, with the server's message, or with `fallback` if the server sent no message. */
export function adminErrorToast(title: string, fallback: string): (error: unknown) => void {
  return errorToast(title, fallback, adminErrorMessage);
}

/** Does what `errorToast` does, but shows the same text for every error. */
export function fixedErrorToast(title: string, description?: string): (error: unknown) => void {
  return errorToast(title, "", () => description);
}
