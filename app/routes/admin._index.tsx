import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { takeLogoutNotice } from "#app/features/admin/logout-notice.ts";
import { Page } from "#app/ui/page.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { adminLoginRequest } from "#domain/wire.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  if (await context.admin.viewer()) throw redirect("/admin/dashboard");
  const t = requestTranslator(request, "adminLogin");
  return { title: `${t("title")} · ${PRODUCT_NAME}`, messages: loadMessages(request, "adminLogin") };
};

export default function AdminLogin() {
  const t = useMessages("adminLogin");
  const navigate = useNavigate();
  const { errors, busy, onSubmit } = useForm(adminLoginRequest, {
    onError: adminErrorToast(t("loginFailed"), t("loginFailedHelp")),
    send: async (credentials) => {
      await adminApi.login(credentials);
      toast({ title: t("loggedIn"), description: t("loggedInHelp") });
      navigate("/admin/dashboard");
    },
  });
  useEffect(() => {
    if (takeLogoutNotice()) toast({ title: t("loggedOut"), description: t("loggedOutHelp") });
  }, [t]);
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Card>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          <FormField label={t("username")} name="username" autoComplete="username" error={errors.username} />
          <FormField
            label={t("password")}
            name="password"
            type="password"
            autoComplete="current-password"
            error={errors.password}
          />
          <Button type="submit" wide disabled={busy}>
            {t(busy ? "loggingIn" : "logIn")}
          </Button>
        </form>
      </Card>
      <Link to="/" className={`${buttonClass("quiet")} justify-self-start`}>
        {t("backHome")}
      </Link>
    </Page>
  );
}
