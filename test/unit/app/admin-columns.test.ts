import { expect, it } from "vitest";
import { expiredColumns } from "#app/features/admin/expired-tab.tsx";
import type { AdminFile } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";

/** Without a date of its end. */
const FILE: AdminFile = {
  id: "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10",
  filename: "report.pdf",
  size: 5,
  uploadedAt: "2026-11-23T12:00:00.000Z",
  expiresAt: null,
  isExpired: true,
  downloadId: "q3Zc8vV1sTn0bKx5Lr2YwA",
  userId: null,
  s3DeletedAt: null,
  downloadCount: 1234,
  adminDeleted: true,
  takedownReason: null,
};

it("expired files show 'Never' in place of a missing date, and seven columns in their order [ADM-15]", () => {
  const columns = expiredColumns(translatorFor("en", "admin"));
  expect(columns.map(({ label }) => label)).toEqual([
    "File Name",
    "User ID",
    "Size",
    "Upload Date",
    "Expiration Date",
    "S3 Deleted",
    "Download Count",
  ]);
  const cells = Object.fromEntries(columns.map(({ label, cell }) => [label, cell(FILE)]));
  expect(cells).toMatchObject({
    Size: "5 Bytes",
    "Expiration Date": "Never",
    "S3 Deleted": "Pending Deletion",
    "Download Count": "1,234",
  });
});
