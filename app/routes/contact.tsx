import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ApiError, call } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { Page } from "#app/ui/page.tsx";
import { toast } from "#app/ui/toast.ts";
import { CONTACT_MESSAGE_MAX_LENGTH, contactRequest } from "#domain/wire.ts";

export const loader = ({ context, request }: LoaderFunctionArgs) => ({
  contactEmail: context.contactEmail,
  messages: loadMessages(request, "contact"),
});

const linkClass = "font-medium text-reed underline underline-offset-4 hover:text-reed-strong";

export default function Contact() {
  const t = useMessages("contact");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <ContactForm />
      <div className="grid gap-6 sm:grid-cols-2">
        <Help />
        <Card>
          <h2 className="text-lg font-medium">{t("officeHours")}</h2>
          <p className="mt-2 text-muted">{t("officeHoursText")}</p>
        </Card>
      </div>
    </Page>
  );
}

function ContactForm() {
  const t = useMessages("contact");
  const { field, busy, onSubmit, checkInput } = useForm(contactRequest, {
    onError: (error) => {
      // A network error's own text does not help people.
      const description = error instanceof ApiError ? messageOf(error, t("notSentText")) : t("notSentText");
      toast({ title: t("notSent"), description, tone: "bad" });
    },
    send: async (message, form) => {
      await call("POST /api/contact", { body: message });
      form.reset();
      toast({ title: t("sent"), description: t("sentText") });
    },
  });
  return (
    <Card>
      <form className="grid gap-4" noValidate onSubmit={onSubmit} onInput={checkInput}>
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField label={t("name")} autoComplete="name" required {...field("name")} />
          <FormField label={t("email")} type="email" autoComplete="email" required {...field("email")} />
        </div>
        <FormField label={t("subject")} required {...field("subject")} />
        <FormTextArea
          label={t("message")}
          rows={7}
          required
          hint={t("atMost", { count: CONTACT_MESSAGE_MAX_LENGTH })}
          {...field("message")}
        />
        <Button type="submit" className="justify-self-start" busy={busy}>
          {t(busy ? "sending" : "send")}
        </Button>
      </form>
    </Card>
  );
}

function Help() {
  const t = useMessages("contact");
  const { contactEmail } = useLoaderData<typeof loader>();
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("needHelp")}</h2>
      <p className="mt-2 text-muted">
        {t.rich("needHelpText", {
          email: contactEmail,
          questions: (text) => (
            <Link key="questions" to="/features#questions" className={linkClass}>
              {text}
            </Link>
          ),
          address: (email) => (
            <a key="address" href={`mailto:${contactEmail}`} className={`${linkClass} break-words`}>
              {email}
            </a>
          ),
        })}
      </p>
    </Card>
  );
}
