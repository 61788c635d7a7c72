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