/** What leads from one page of the account, or of the dashboard, to the others. The root loads it: it stays when a page fails. */
export const tabs = {
  accountTabs: "Your account",
  account: "Account",
  security: "Security",
  notices: "Emails",
  dashboardTabs: "Dashboard",
  files: "Files",
  received: "Received",
  requests: "Requests",
} as const;
