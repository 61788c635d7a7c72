export const emailDiagnostic = {
  title: "Email diagnostic",
  lead: "Verification emails are sent through an email delivery provider.",
  text: "Send a test email to check that it arrives. Only administrators can do this: log in as one first.",
  email: "Email",
  send: "Send Test Verification Email",
  sending: "Sending Test Email...",
  success: "Success",
  error: "Error",
  successful: "Email Test Successful",
  failed: "Email Test Failed",
  failedText: "There was an error sending the test email. Check the logs for details.",
} as const;
