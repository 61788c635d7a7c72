import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { Login } from "#app/features/admin/login.tsx";
import { takeLogoutNotice } from "#app/features/admin/logout-notice.ts";
import { Page } from "#app/ui/page.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { toast } from "#app/ui/toast.ts";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  if (await context.admin.viewer()) throw redirect("/admin/dashboard");
  const t = requestTranslator(request, "adminLogin");
  return { title: `${t("title")} · ${PRODUCT_NAME}`, messages: loadMessages(request, "adminLogin", "adminFactor") };
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
