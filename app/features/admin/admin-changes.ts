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

/** A mutation that reloads the page's data after success. */
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

/** Calls `onError`. If the admin session has ended, also reloads the page's data, which redirects to the login. */
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

/** Does what `errorToast` does, with the server's message, or `fallback` if it sent none. */
export function adminErrorToast(title: string, fallback: string): (error: unknown) => void {
  return errorToast(title, fallback, adminErrorMessage);
}

/** Does what `errorToast` does, but shows the same for every error. */
export function fixedErrorToast(title: string, description?: string): (error: unknown) => void {
  return errorToast(title, "", () => description);
}
