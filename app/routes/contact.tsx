import { Link, useLoaderData } from "@remix-run/react";
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { api, ApiError } from "#app/api.ts";
import { Page } from "#app/components/page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Field, TextArea } from "#app/components/ui/field.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messageOf } from "#app/forms.ts";
import { messagesFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useForm } from "#app/use-form.ts";
import { CONTACT_MESSAGE_MAX_LENGTH, contactRequest } from "#domain/wire.ts";

export const loader = ({ context, request }: LoaderFunctionArgs) => ({
  contactEmail: context.contactEmail,
  messages: messagesFor(request, "contact"),
});

const linkClass = "font-medium text-reed underline underline-offset-4 hover:text-reed-strong";

export default function Contact() {
  const say = useMessages("contact");
  return (
    <Page title={say("title")} lead={say("lead")}>
      <ContactForm />
      <div className="grid gap-6 sm:grid-cols-2">
        <Help />
        <Card>
          <h2 className="text-lg font-medium">{say("officeHours")}</h2>
          <p className="mt-2 text-muted">{say("officeHoursText")}</p>
        </Card>
      </div>
    </Page>
  );
}

function ContactForm() {
  const say = useMessages("contact");
  const { errors, busy, onSubmit, checkInput } = useForm(contactRequest, {
    onError: (error) => {
      // What the browser says where nothing answered helps nobody.
      const said = error instanceof ApiError ? messageOf(error, say("notSentText")) : say("notSentText");
      toast({ title: say("notSent"), description: said, tone: "bad" });
    },
    send: async (message, form) => {
      await api.sendMessage(message);
      form.reset();
      toast({ title: say("sent"), description: say("sentText") });
    },
  });
  return (
    <Card>
      <form className="grid gap-4" noValidate onSubmit={onSubmit} onInput={checkInput}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={say("name")} name="name" autoComplete="name" required error={errors.name} />
          <Field label={say("email")} name="email" type="email" autoComplete="email" required error={errors.email} />
        </div>
        <Field label={say("subject")} name="subject" required error={errors.subject} />
        <TextArea
          label={say("message")}
          name="message"
          rows={7}
          required
          hint={say("atMost", { count: CONTACT_MESSAGE_MAX_LENGTH })}
          error={errors.message}
        />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {say(busy ? "sending" : "send")}
        </Button>
      </form>
    </Card>
  );
}

function Help() {
  const say = useMessages("contact");
  const { contactEmail } = useLoaderData<typeof loader>();
  return (
    <Card>
      <h2 className="text-lg font-medium">{say("needHelp")}</h2>
      <p className="mt-2 text-muted">
        {say.rich("needHelpText", {
          email: contactEmail,
          questions: (words) => (
            <Link key="questions" to="/features#questions" className={linkClass}>
              {words}
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
