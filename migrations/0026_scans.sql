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