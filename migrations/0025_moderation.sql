CREATE TABLE `cases` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`file_id` text,
	`user_id` text,
	`report_id` text,
	`opened_at` integer NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`latest_at` integer NOT NULL,
	`detail` text NOT NULL,
	`closed_at` integer,
	`closed_by` text,
	`outcome` text,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`report_id`) REFERENCES `file_reports`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cases_open_subject` ON `cases` (`kind`,`subject`) WHERE "cases"."closed_at" is null;--> statement-breakpoint
CREATE INDEX `cases_open` ON `cases` (`latest_at`) WHERE "cases"."closed_at" is null;--> statement-breakpoint
CREATE INDEX `cases_closed` ON `cases` (`closed_at`) WHERE "cases"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX `cases_user` ON `cases` (`user_id`,`latest_at`);--> statement-breakpoint
CREATE INDEX `cases_file` ON `cases` (`file_id`);--> statement-breakpoint
CREATE INDEX `cases_report` ON `cases` (`report_id`);
--> statement-breakpoint
CREATE TABLE `new_account_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`downloads` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `new_account_days_day` ON `new_account_days` (`day`);--> statement-breakpoint
CREATE TABLE `barred_mailboxes` (
	`mailbox_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `barred_mailboxes_user` ON `barred_mailboxes` (`user_id`);--> statement-breakpoint
CREATE INDEX `barred_mailboxes_at` ON `barred_mailboxes` (`at`);--> statement-breakpoint
CREATE TABLE `statements` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`decision` text NOT NULL,
	`reader` text NOT NULL,
	`file_id` text,
	`user_id` text,
	`report_id` text,
	`about` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL,
	`objected_at` integer,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`report_id`) REFERENCES `file_reports`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `statements_token` ON `statements` (`token_hash`);--> statement-breakpoint
CREATE INDEX `statements_at` ON `statements` (`at`);--> statement-breakpoint
CREATE INDEX `statements_file` ON `statements` (`file_id`);--> statement-breakpoint
CREATE INDEX `statements_user` ON `statements` (`user_id`);--> statement-breakpoint
CREATE INDEX `statements_report` ON `statements` (`report_id`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_file_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text,
	`entry` integer,
	`reason` text NOT NULL,
	`message` text NOT NULL,
	`notice` text,
	`locale` text DEFAULT 'en' NOT NULL,
	`email` text NOT NULL,
	`ip_address` text,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`settled_by` text,
	`outcome` text,
	`note` text DEFAULT '' NOT NULL,
	`shared_key` text,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "file_reports_settled_whole" CHECK(("__new_file_reports"."settled_at" is null) = ("__new_file_reports"."outcome" is null))
);
--> statement-breakpoint
INSERT INTO `__new_file_reports`("id", "file_id", "entry", "reason", "message", "email", "ip_address", "created_at", "settled_at", "settled_by", "outcome", "note", "shared_key") SELECT "id", "file_id", "entry", "reason", "message", "email", "ip_address", "created_at", "settled_at", "settled_by", "outcome", "note", "shared_key" FROM `file_reports`;--> statement-breakpoint
DROP TABLE `file_reports`;--> statement-breakpoint
ALTER TABLE `__new_file_reports` RENAME TO `file_reports`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `file_reports_file` ON `file_reports` (`file_id`);--> statement-breakpoint
CREATE INDEX `file_reports_open` ON `file_reports` (`created_at`) WHERE "file_reports"."settled_at" is null;--> statement-breakpoint
CREATE INDEX `file_reports_settled` ON `file_reports` (`settled_at`) WHERE "file_reports"."settled_at" is not null;--> statement-breakpoint
CREATE INDEX `file_reports_shared_key` ON `file_reports` (`created_at`) WHERE "file_reports"."shared_key" is not null;--> statement-breakpoint
CREATE INDEX `file_reports_whole_address` ON `file_reports` (`created_at`) WHERE instr("file_reports"."ip_address", '/') = 0;--> statement-breakpoint
DROP INDEX `files_sweep`;--> statement-breakpoint
ALTER TABLE `files` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `held_at` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `kept_at` integer;--> statement-breakpoint
CREATE INDEX `files_kept` ON `files` (`kept_at`) WHERE "files"."kept_at" is not null;--> statement-breakpoint
CREATE INDEX `files_sweep` ON `files` (`expires_at`) WHERE "files"."expires_at" is not null and "files"."s3_deleted_at" is null and "files"."suspended_at" is null
          and "files"."kept_at" is null;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `trusted_at` integer;--> statement-breakpoint
CREATE INDEX `users_suspended` ON `users` (`suspended_at`) WHERE "users"."suspended_at" is not null;--> statement-breakpoint
INSERT INTO `cases` (`id`, `kind`, `subject`, `file_id`, `user_id`, `report_id`, `opened_at`, `count`, `latest_at`, `detail`)
SELECT lower(hex(randomblob(16))), 'report', coalesce(reports.file_id, reports.id), reports.file_id, files.user_id, reports.id, min(reports.created_at), count(*), max(reports.created_at), json_object('reason', reports.reason)
FROM `file_reports` AS reports LEFT JOIN `files` ON files.id = reports.file_id
WHERE reports.settled_at IS NULL GROUP BY coalesce(reports.file_id, reports.id);
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, '**Payments.** Card payments', '**Reports, and what we decide about them.** What a report says, the address you give with it, and the network address it came from, which is shortened after 30 days. What we decide, why, and an objection to it are kept for two years. If we suspend an account, we keep a checksum of its address for two years, so that it does not come back under the same one. What is reported as child abuse is kept for the authorities. How often the links of an account are downloaded in a day is counted while the account is younger than 30 days; who downloads is not.

**Payments.** Card payments'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'privacy' AND instr(`content`, '**Payments.** Card payments') > 0;
--> statement-breakpoint
UPDATE `page_content`
SET `content` = replace(`content`, 'We may suspend or close an account that breaks these terms, and where we can we warn you first.', 'We may suspend or close an account that breaks these terms, and where we can we warn you first. We take down files and suspend accounts only after a person has looked, we mail you the reason, and you can object within six months by the link in that mail. A suspended account keeps its files for 30 days. Links of a new account that are downloaded or mailed unusually often wait until we have had a look.'),
    `updated_at` = max(`updated_at`, 1795824000000)
WHERE `slug` = 'terms' AND instr(`content`, 'We may suspend or close an account that breaks these terms, and where we can we warn you first.') > 0;
