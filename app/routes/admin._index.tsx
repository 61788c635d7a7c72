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
import { useForm } from "#app/use-form.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { adminLoginRequest } from "#domain/wire.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { Link } from "@remix-run/react";

export const meta: MetaFunction = () => [
  { title: `Administration · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = async ({ context }: LoaderFunctionArgs) => {
  if (await context.admin.viewer()) throw redirect("/admin/dashboard");
  return null;
};

export default function AdminLogin() {
  const navigate = useNavigate();
  const { errors, busy, onSubmit } = useForm(adminLoginRequest, {
    onError: refusalToast("Login failed", "Invalid credentials"),
    send: async (credentials) => {
      await adminApi.login(credentials);
      toast({ title: "Admin login successful", description: "You are now logged in as an administrator" });
      navigate("/admin/dashboard");
    },
  });
  useEffect(() => {
    if (takeFarewell()) toast({ title: "Logged out", description: "Admin session ended successfully" });
  }, []);
  return (
    <Page title="Administration" lead="For those who keep this service running.">
      <Card>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          <Field label="Username" name="username" autoComplete="username" error={errors.username} />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            error={errors.password}
          />
          <Button type="submit" wide disabled={busy}>
            {busy ? "Logging in…" : "Log In"}
          </Button>
        </form>
      </Card>
      <Link to="/" className={`${buttonClass("quiet")} justify-self-start`}>
        Back to Home
      </Link>
    </Page>
  );
}
