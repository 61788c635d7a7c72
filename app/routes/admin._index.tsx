import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { adminApi } from "#app/admin/api.ts";
import { takeFarewell } from "#app/admin/farewell.ts";
import { Page } from "#app/components/page.tsx";
import { Button, buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Field } from "#app/components/ui/field.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messagesFor, sayFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useForm } from "#app/use-form.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { adminLoginRequest } from "#domain/wire.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { Link } from "@remix-run/react";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  if (await context.admin.viewer()) throw redirect("/admin/dashboard");
  const say = sayFor(request, "officeLogin");
  return { title: `${say("title")} · ${PRODUCT_NAME}`, messages: messagesFor(request, "officeLogin") };
};

export default function AdminLogin() {
  const say = useMessages("officeLogin");
  const navigate = useNavigate();
  const { errors, busy, onSubmit } = useForm(adminLoginRequest, {
    onError: refusalToast(say("loginFailed"), say("loginFailedHelp")),
    send: async (credentials) => {
      await adminApi.login(credentials);
      toast({ title: say("loggedIn"), description: say("loggedInHelp") });
      navigate("/admin/dashboard");
    },
  });
  useEffect(() => {
    if (takeFarewell()) toast({ title: say("loggedOut"), description: say("loggedOutHelp") });
  }, [say]);
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Card>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          <Field label={say("username")} name="username" autoComplete="username" error={errors.username} />
          <Field
            label={say("password")}
            name="password"
            type="password"
            autoComplete="current-password"
            error={errors.password}
          />
          <Button type="submit" wide disabled={busy}>
            {say(busy ? "loggingIn" : "logIn")}
          </Button>
        </form>
      </Card>
      <Link to="/" className={`${buttonClass("quiet")} justify-self-start`}>
        {say("backHome")}
      </Link>
    </Page>
  );
}
