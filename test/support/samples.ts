/** Valid bodies of calls. */
export const SAMPLES = {
  file: { filename: "b.txt", fileType: "text/plain", expiration: "1d" },
  transfer: {
    expiration: "1d",
    totals: { entries: 1, bytes: 5 },
    entries: { from: 0, list: [["b.txt", 5, 0]] },
    open: [{ object: 0, runs: [[0, 1]] }],
  },
  summary: {
    transport: "direct",
    seconds: 12,
    sentAgain: { network: 1, timeout: 0, rejected: 0, stalled: 2 },
    stalls: 1,
    stalledSeconds: 3,
    lineShare: 94,
  },
  message: { name: "Ann", email: "ann@example.com", subject: "A question", message: "How does it work?" },
  page: { title: "T", slug: "new", content: "Text" },
  seo: { page: "/new", title: "T", description: "D", keywords: "K" },
};

/** As a browser sends it, but of no passkey that anybody has. */
export const UNKNOWN_ASSERTION = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" },
};
