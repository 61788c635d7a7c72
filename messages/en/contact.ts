/** The contact page. */
export const contact = {
  title: "Contact us",
  lead: "A question, an idea, something that does not work: write to us.",
  officeHours: "Office hours",
  officeHoursText: "Monday - Friday: 9AM - 5PM EST, Weekend: Closed",
  name: "Name",
  email: "Email",
  subject: "Subject",
  message: "Message",
  atMost: "At most {count} characters.",
  send: "Send message",
  sending: "Sending…",
  sent: "Message Sent",
  sentText: "Your message has been sent successfully. We'll get back to you soon!",
  notSent: "Message not sent",
  notSentText: "An error occurred while sending your message. Please try again.",
  needHelp: "Need help?",
  needHelpText:
    "Many answers are among the <questions>questions and answers</questions>. You can also write to <address>{email}</address>.",
} as const;
