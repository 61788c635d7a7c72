import { lazy, Suspense, useState, type ReactNode } from "react";
import { AuthDialogContext, type AuthRequest } from "#app/lib/auth-dialog.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

const AuthDialog = lazy(async () => {
  const { loadAuthDialog } = await importWhenOnline(() => import("./load-auth-dialog.client.ts"));
  return loadAuthDialog();
});

export function AuthDialogProvider({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<AuthRequest | null>(null);
  return (
    <AuthDialogContext.Provider value={setRequest}>
      {children}
      {request && (
        <Suspense>
          <AuthDialog request={request} onClose={() => setRequest(null)} />
        </Suspense>
      )}
    </AuthDialogContext.Provider>
  );
}
