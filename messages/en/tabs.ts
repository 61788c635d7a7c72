/** What the pages of the dashboard share. */
export const dashboard = {
  tabs: "Dashboard",
  files: "Files",
  received: "Received",
  requests: "Requests",
} as const;
