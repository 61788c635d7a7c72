import { messageOf } from "#app/lib/form-errors.ts";
import { toast } from "./toast.ts";

/** @returns an error handler that shows the server's message, or `fallback` if there is none */
export function errorToast(title: string, fallback: string): (error: unknown) => void {
  return (error) => {
    toast({ title, description: messageOf(error, fallback), tone: "bad" });
  };
}
