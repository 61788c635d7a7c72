ALTER TABLE `upload_audit_logs` ADD `started_at` integer;--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(
      replace(`content`, 'and the entry about it 90 days later.', 'and the entry about it {endedFileDays} days later.'),
      'and the entries are deleted after one year.', 'and the entries are deleted after {uploadLogDays} days.'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy'
  AND (instr(`content`, 'and the entry about it 90 days later.') > 0
    OR instr(`content`, 'and the entries are deleted after one year.') > 0);
