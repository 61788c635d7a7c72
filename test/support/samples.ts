/** Valid bodies of calls. */
export const SAMPLES = {
  file: { filename: "b.txt", fileType: "text/plain", expiration: "1d" },
  message: { name: "Ann", email: "ann@example.com", subject: "A question", message: "How does it work?" },
  page: { title: "T", slug: "new", content: "Text" },
  seo: { page: "/new", title: "T", description: "D", keywords: "K" },
};
