CREATE TABLE `blocked_sums` (
	`sha256` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL,
	`added_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `blocked_sums_label` ON `blocked_sums` (`label`,`added_at`);--> statement-breakpoint
ALTER TABLE `overview_days` ADD `blocked` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TABLE `scanner_outages` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`reason` text NOT NULL,
	`told_at` integer
);
--> statement-breakpoint
ALTER TABLE `files` ADD `scan_state` text;--> statement-breakpoint
ALTER TABLE `files` ADD `scanned_at` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `scan_finding` text;--> statement-breakpoint
CREATE INDEX `files_scan_waits` ON `files` (`uploaded_at`) WHERE "files"."scan_state" = 'pending';
--> statement-breakpoint
ALTER TABLE `files` ADD `risk` text;
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, '**Payments.** Card payments', '**Checksums of files that were taken down.** So that such a file does not come back, we keep its checksum, which says nothing about its content or its sender.

**What a virus scanner says.** Where this site has one, files that are not encrypted from end to end are checked by it. We keep the result and its date with the file.

**Payments.** Card payments'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, '**Payments.** Card payments') > 0;
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, '- We do not look into your files, except where we have to follow up a report of abuse.', '- We do not look into your files, except where we have to follow up a report of abuse. Programs compare checksums, recognise programs and scripts by their first bytes, and, where this site has a virus scanner, look for viruses.'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, '- We do not look into your files, except where we have to follow up a report of abuse.') > 0;
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, 'They get only what their part needs.', 'They get only what their part needs. A virus scanner, where this site has one, gets the bytes of a file and neither its name nor its sender. Where this site asks whether you are a person, Cloudflare’s Turnstile checks your browser on a page of its own, and gets your network address.'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, 'They get only what their part needs.') > 0;
