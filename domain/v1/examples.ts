const startedAs = (id: string, downloadId: string, expiresAt: string) => ({
  id,
  downloadId,
  link: `https://files.example/download/${downloadId}`,
  expiresAt,
});

/** What the examples of several calls show. */
export const EXAMPLE_UPLOAD = startedAs(
  "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10",
  "q3Zc8vV1sTn0bKx5Lr2YwA",
  "2026-11-30T12:00:00.000Z",
);
export const EXAMPLE_TRANSFER = startedAs(
  "7b1e6a2c-4c59-4a0d-9f7e-1f2d3c4b5a69",
  "Lr2YwAq3Zc8vV1sTn0bKx5",
  "2026-11-26T12:00:00.000Z",
);
