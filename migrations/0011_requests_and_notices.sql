CREATE TABLE `mail_stops` (
	`address_digest` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`address_digest`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `notice_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`transfer_id` text NOT NULL,
	`kind` text NOT NULL,
	`recipient_id` text DEFAULT '' NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`at` integer NOT NULL,
	`due_at` integer,
	`mailed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`transfer_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notice_events_kind" CHECK("notice_events"."kind" in ('downloaded', 'arrived', 'received', 'ending', 'receipt'))
);
--> statement-breakpoint
CREATE INDEX `notice_events_transfer` ON `notice_events` (`transfer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `notice_events_open` ON `notice_events` (`transfer_id`,`kind`,`recipient_id`) WHERE "notice_events"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX `notice_events_due` ON `notice_events` (`due_at`) WHERE "notice_events"."mailed_at" is null and "notice_events"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `notice_events_daily` ON `notice_events` (`user_id`,`at`) WHERE "notice_events"."mailed_at" is null and "notice_events"."due_at" is null;--> statement-breakpoint
CREATE TABLE `notice_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`downloaded` text DEFAULT 'first' NOT NULL,
	`arrived` integer DEFAULT true NOT NULL,
	`ending` integer DEFAULT true NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`last_digest_day` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `recipients` (
	`id` text PRIMARY KEY NOT NULL,
	`transfer_id` text NOT NULL,
	`email` text NOT NULL,
	`token` text NOT NULL,
	`sent_at` integer NOT NULL,
	`opened_at` integer,
	`first_download_at` integer,
	`last_download_at` integer,
	`downloads` integer DEFAULT 0 NOT NULL,
	`stopped_at` integer,
	FOREIGN KEY (`transfer_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recipients_token` ON `recipients` (`token`);--> statement-breakpoint
CREATE UNIQUE INDEX `recipients_transfer` ON `recipients` (`transfer_id`,`email`);--> statement-breakpoint
CREATE TABLE `upload_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token` text NOT NULL,
	`title` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`keep_for` text NOT NULL,
	`expires_at` integer,
	`most_bytes` integer,
	`most_file_bytes` integer,
	`most_transfers` integer,
	`kinds` text,
	`asks_name` integer DEFAULT false NOT NULL,
	`asks_email` integer DEFAULT false NOT NULL,
	`password_hash` text,
	`guard_revision` integer DEFAULT 0 NOT NULL,
	`notify` text NOT NULL,
	`origins` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "upload_requests_notify" CHECK("upload_requests"."notify" in ('each', 'daily', 'off'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `upload_requests_token` ON `upload_requests` (`token`);--> statement-breakpoint
CREATE INDEX `upload_requests_owner` ON `upload_requests` (`user_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `locale` text;--> statement-breakpoint
ALTER TABLE `files` ADD `request_id` text;--> statement-breakpoint
ALTER TABLE `files` ADD `sender_name` text;--> statement-breakpoint
ALTER TABLE `files` ADD `sender_email` text;--> statement-breakpoint
ALTER TABLE `files` ADD `sender_note` text;--> statement-breakpoint
ALTER TABLE `files` ADD `sender_network` text;--> statement-breakpoint
ALTER TABLE `files` ADD `forwarded_at` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `notify` text;--> statement-breakpoint
CREATE INDEX `files_request` ON `files` (`request_id`,`size`) WHERE "files"."request_id" is not null;--> statement-breakpoint
CREATE INDEX `files_received` ON `files` (`user_id`,`uploaded_at`) WHERE "files"."request_id" is not null and "files"."status" = 'ready' and "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `files_sender_token` ON `files` (`upload_token_hash`) WHERE "files"."request_id" is not null;--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `headers` text;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `headers` text;