import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { adminErrorMessage, adminErrorToast } from "#app/features/admin/admin-changes.ts";
import { takeLogoutNotice } from "#app/features/admin/logout-notice.ts";
import { PasskeyButton, ShowFactor } from "#app/features/admin/show-factor.tsx";
import { ApiError, call } from "#app/lib/api.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useForm } from "#app/lib/use-form.ts";
import { buttonClass, Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { Page } from "#app/ui/page.tsx";
import { toast } from "#app/ui/toast.ts";
import type { AdminFactor } from "#domain/sign-in.ts";
import { adminLoginRequest } from "#domain/wire.ts";

export const meta = titleMeta({ robots: "noindex" });

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  if (await context.admin.viewer()) throw redirect("/admin/dashboard");
  return loadTexts(request, (t) => t("title"), "adminLogin", "adminFactor");
};

export default function AdminLogin() {
  const t = useMessages("adminLogin");
  const navigate = useNavigate();
  useEffect(() => {
    if (takeLogoutNotice()) toast({ title: t("loggedOut"), description: t("loggedOutHelp") });
  }, [t]);
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Card>
        <Login
          onLoggedIn={() => {
            toast({ title: t("loggedIn"), description: t("loggedInHelp") });
            navigate("/admin/dashboard");
          }}
        />
      </Card>
      <Link to="/" className={`${buttonClass("quiet")} justify-self-start`}>
        {t("backHome")}
      </Link>
    </Page>
  );
}

interface LoginProps {
  onLoggedIn(): void;
}

/** Asks for name and password and then, if due, a second factor; or for a passkey alone. */
function Login({ onLoggedIn }: LoginProps) {
  const t = useMessages("adminFactor");
  const [methods, setMethods] = useState<readonly AdminFactor[] | null>(null);
  if (!methods) return <FirstStep onLoggedIn={onLoggedIn} onSecondFactor={setMethods} />;
  return (
    <div className="grid gap-4">
      <p>{t("stepLead")}</p>
      <ShowFactor
        methods={methods}
        purpose="second-factor"
        go={t("continue")}
        send={(body) => call("POST /api/admin/second-factor", { body })}
        onDone={onLoggedIn}
      />
      <Button look="quiet" onClick={() => setMethods(null)}>
        {t("back")}
      </Button>
    </div>
  );
}

/** The reason why nobody can log in before a second factor is set up. */
interface Setup {
  message: string;
  /** The page that sets up the factor; null for the administrator whose login is in the settings. */
  at: string | null;
}

interface FirstStepProps extends LoginProps {
  onSecondFactor(methods: readonly AdminFactor[]): void;
}

function FirstStep({ onLoggedIn, onSecondFactor }: FirstStepProps) {
  const t = useMessages("adminLogin");
  const tFactor = useMessages("adminFactor");
  const [setup, setSetup] = useState<Setup | null>(null);
  const { field, busy, onSubmit } = useForm(adminLoginRequest, {
    onError: (error) => {
      const missing = setupOf(error);
      if (missing) setSetup(missing);
      else adminErrorToast(t("loginFailed"), t("loginFailedHelp"))(error);
    },
    send: async (credentials) => {
      setSetup(null);
      const { isAdmin, secondFactor } = await call("POST /api/admin/login", { body: credentials });
      if (isAdmin) onLoggedIn();
      else onSecondFactor(secondFactor?.methods ?? []);
    },
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      {setup && (
        <div role="alert" className="grid gap-3 rounded-xl bg-sunken p-4">
          <p>{setup.message}</p>
          {setup.at !== null && (
            <Link to={setup.at} className={buttonClass("quiet")}>
              {tFactor("setUp")}
            </Link>
          )}
        </div>
      )}
      <FormField label={t("username")} autoComplete="username" {...field("username")} />
      <FormField label={t("password")} type="password" autoComplete="current-password" {...field("password")} />
      <Button type="submit" wide busy={busy}>
        {t(busy ? "loggingIn" : "logIn")}
      </Button>
      <PasskeyButton
        purpose="login"
        send={(credential) => call("POST /api/admin/passkey/login", { body: { credential } })}
        onDone={onLoggedIn}
      />
    </form>
  );
}

function setupOf(error: unknown): Setup | null {
  if (!(error instanceof ApiError) || error.body.code !== "SECOND_FACTOR_SETUP") return null;
  const { setUpAt } = error.body;
  return { message: adminErrorMessage(error, error.message), at: typeof setUpAt === "string" ? setUpAt : null };
}
