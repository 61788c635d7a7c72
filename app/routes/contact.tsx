import { Link, useLoaderData } from "@remix-run/react";
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { api, ApiError } from "#app/api.ts";
import { Page } from "#app/components/page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Field, TextArea } from "#app/components/ui/field.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messageOf } from "#app/forms.ts";
import { useForm } from "#app/use-form.ts";
import { CONTACT_MESSAGE_MAX_LENGTH, contactRequest } from "#domain/wire.ts";

export const loader = ({ context }: LoaderFunctionArgs) => ({ contactEmail: context.contactEmail });

const linkClass = "font-medium text-reed underline underline-offset-4 hover:text-reed-strong";

export default function Contact() {
  return (
    <Page title="Contact us" lead="A question, an idea, something that does not work: write to us.">
      <ContactForm />
      <div className="grid gap-6 sm:grid-cols-2">
        <Help />
        <Card>
          <h2 className="text-lg font-medium">Office hours</h2>
          <p className="mt-2 text-muted">Monday - Friday: 9AM - 5PM EST, Weekend: Closed</p>
        </Card>
      </div>
    </Page>
  );
}

const FAILURE = "An error occurred while sending your message. Please try again.";

function ContactForm() {
  const { errors, busy, onSubmit, checkInput } = useForm(contactRequest, {
    onError: (error) => {
      // What the browser says where nothing answered helps nobody.
      const said = error instanceof ApiError ? messageOf(error, FAILURE) : FAILURE;
      toast({ title: "Message not sent", description: said, tone: "bad" });
    },
    send: async (message, form) => {
      await api.sendMessage(message);
      form.reset();
      toast({
        title: "Message Sent",
        description: "Your message has been sent successfully. We'll get back to you soon!",
      });
    },
  });
  return (
    <Card>
      <form className="grid gap-4" noValidate onSubmit={onSubmit} onInput={checkInput}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" name="name" autoComplete="name" required error={errors.name} />
          <Field label="Email" name="email" type="email" autoComplete="email" required error={errors.email} />
        </div>
        <Field label="Subject" name="subject" required error={errors.subject} />
        <TextArea
          label="Message"
          name="message"
          rows={7}
          required
          hint={`At most ${CONTACT_MESSAGE_MAX_LENGTH} characters.`}
          error={errors.message}
        />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {busy ? "Sending…" : "Send message"}
        </Button>
      </form>
    </Card>
  );
}

function Help() {
  const { contactEmail } = useLoaderData<typeof loader>();
  return (
    <Card>
      <h2 className="text-lg font-medium">Need help?</h2>
      <p className="mt-2 text-muted">
        Many answers are among the{" "}
        <Link to="/features#questions" className={linkClass}>
          questions and answers
        </Link>
        . You can also write to{" "}
        <a href={`mailto:${contactEmail}`} className={`${linkClass} break-words`}>
          {contactEmail}
        </a>
        .
      </p>
    </Card>
  );
}
