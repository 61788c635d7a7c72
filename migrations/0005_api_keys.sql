CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`last_four` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`last_used_address` text,
	`calls_per_minute` integer DEFAULT 300 NOT NULL,
	`month_bytes` integer,
	`largest_file_bytes` integer,
	`month_used` integer DEFAULT 0 NOT NULL,
	`month_start` integer,
	`browser_use` integer DEFAULT false NOT NULL,
	`source` text NOT NULL,
	`remind_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "api_keys_source" CHECK("api_keys"."source" in ('page', 'cli')),
	CONSTRAINT "api_keys_month_used" CHECK("api_keys"."month_used" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE INDEX `api_keys_remind` ON `api_keys` (`remind_at`) WHERE "api_keys"."remind_at" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_run_out` ON `api_keys` (`expires_at`) WHERE "api_keys"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE "api_keys"."revoked_at" is not null;--> statement-breakpoint
ALTER TABLE `files` ADD `api_key_id` text;--> statement-breakpoint
ALTER TABLE `files` ADD `start_key` text;--> statement-breakpoint
ALTER TABLE `files` ADD `start_digest` text;--> statement-breakpoint
CREATE UNIQUE INDEX `files_start_key` ON `files` (`user_id`,`start_key`) WHERE "files"."start_key" is not null;--> statement-breakpoint
CREATE INDEX `files_started_with_key` ON `files` (`created_at`) WHERE "files"."start_key" is not null;--> statement-breakpoint
ALTER TABLE `upload_audit_logs` ADD `api_key_id` text;