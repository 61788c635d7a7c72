import { lazy, Suspense } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useWasToastShown } from "./toast.ts";

const Toasts = lazy(async () => ({
  default: (await importWhenOnline(() => import("./toast-list.client.tsx"))).Toasts,
}));

/** Loads the toast list with the first toast, because most visits show none. */
export function Toaster() {
  return useWasToastShown() ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
