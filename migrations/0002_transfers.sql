CREATE TABLE `entry_downloads` (
	`file_id` text NOT NULL,
	`n` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`file_id`, `n`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `entry_wipes` (
	`s3_key` text NOT NULL,
	`from_byte` integer NOT NULL,
	`length` integer,
	`file_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	PRIMARY KEY(`s3_key`, `from_byte`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `entry_wipes_file` ON `entry_wipes` (`file_id`);--> statement-breakpoint
CREATE TABLE `transfer_pages` (
	`file_id` text NOT NULL,
	`page` integer NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`file_id`, `page`),
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `file_reports` ADD `entry` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `entry_count` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `object_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `message` text;--> statement-breakpoint
ALTER TABLE `files` ADD `zip_size` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `zip_changed_at` integer;--> statement-breakpoint
ALTER TABLE `upload_audit_logs` ADD `entry_count` integer;