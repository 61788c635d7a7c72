CREATE TABLE `admin_audit_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`admin_user_id` text,
	`admin_name` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `admin_audit_logs_at` ON `admin_audit_logs` (`at`);--> statement-breakpoint
CREATE INDEX `admin_audit_logs_action` ON `admin_audit_logs` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `admin_audit_logs_target` ON `admin_audit_logs` (`target`,`at`);--> statement-breakpoint
CREATE TABLE `admin_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text,
	`username` text NOT NULL,
	`settings_key` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "admin_sessions_whose" CHECK(("admin_sessions"."user_id" is null) <> ("admin_sessions"."settings_key" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `admin_sessions_token` ON `admin_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `admin_sessions_user` ON `admin_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `admin_sessions_expires` ON `admin_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `file_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text,
	`reason` text NOT NULL,
	`message` text NOT NULL,
	`email` text NOT NULL,
	`ip_address` text,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`settled_by` text,
	`outcome` text,
	`note` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "file_reports_reason" CHECK("file_reports"."reason" in ('malware', 'illegal', 'copyright', 'privacy', 'other')),
	CONSTRAINT "file_reports_settled_whole" CHECK(("file_reports"."settled_at" is null) = ("file_reports"."outcome" is null))
);
--> statement-breakpoint
CREATE INDEX `file_reports_file` ON `file_reports` (`file_id`);--> statement-breakpoint
CREATE INDEX `file_reports_open` ON `file_reports` (`created_at`) WHERE "file_reports"."settled_at" is null;--> statement-breakpoint
CREATE INDEX `file_reports_settled` ON `file_reports` (`settled_at`) WHERE "file_reports"."settled_at" is not null;--> statement-breakpoint
CREATE INDEX `file_reports_whole_address` ON `file_reports` (`created_at`) WHERE instr("file_reports"."ip_address", '/') = 0;--> statement-breakpoint
CREATE TABLE `overview_days` (
	`day` text PRIMARY KEY NOT NULL,
	`uploads` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`rejected` integer DEFAULT 0 NOT NULL,
	`downloads` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `plan_numbers` (
	`plan_type` text PRIMARY KEY NOT NULL,
	`users` integer NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL,
	`taken_at` integer NOT NULL,
	CONSTRAINT "plan_numbers_plan_type" CHECK("plan_numbers"."plan_type" in ('free', 'professional', 'ultimate'))
);
--> statement-breakpoint
CREATE TABLE `sweep_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`expired_files` integer NOT NULL,
	`abandoned_uploads` integer NOT NULL,
	`leftovers` integer NOT NULL,
	`removed_accounts` integer NOT NULL,
	`failed` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sweep_runs_started` ON `sweep_runs` (`started_at`);--> statement-breakpoint
DROP INDEX `upload_audit_logs_user`;--> statement-breakpoint
CREATE INDEX `upload_audit_logs_status` ON `upload_audit_logs` (`status`,`timestamp`);--> statement-breakpoint
CREATE INDEX `upload_audit_logs_user` ON `upload_audit_logs` (`user_id`,`timestamp`);--> statement-breakpoint
ALTER TABLE `files` ADD `takedown_reason` text;--> statement-breakpoint
CREATE INDEX `files_expired` ON `files` (`expires_at`) WHERE "files"."status" = 'ready' and "files"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `files_name` ON `files` ("filename" collate nocase) WHERE "files"."status" = 'ready' and "files"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `files_bytes_gone` ON `files` (`s3_deleted_at`) WHERE "files"."s3_deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `sessions_whole_address` ON `sessions` (`created_at`) WHERE instr("sessions"."ip_address", '/') = 0;--> statement-breakpoint
CREATE INDEX `users_newest` ON `users` (`created_at`);--> statement-breakpoint
CREATE INDEX `users_admins` ON `users` (`id`) WHERE "users"."is_admin" = 1;--> statement-breakpoint
CREATE INDEX `users_plan` ON `users` (`plan_type`);--> statement-breakpoint
CREATE INDEX `contact_submissions_email` ON `contact_submissions` ("email" collate nocase);--> statement-breakpoint
CREATE INDEX `contact_submissions_unread` ON `contact_submissions` (`created_at`) WHERE "contact_submissions"."is_read" = 0;--> statement-breakpoint
CREATE INDEX `contact_submissions_whole_address` ON `contact_submissions` (`created_at`) WHERE instr("contact_submissions"."ip_address", '/') = 0;