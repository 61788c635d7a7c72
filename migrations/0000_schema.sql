CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`password` text,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `accounts_user` ON `accounts` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_provider` ON `accounts` (`provider_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_whole_address` ON `sessions` (`created_at`) WHERE instr("sessions"."ip_address", '/') = 0;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`plan_type` text NOT NULL,
	`stripe_subscription_id` text,
	`stripe_customer_id` text,
	`current_period_start` integer,
	`current_period_end` integer,
	`status` text NOT NULL,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_user` ON `subscriptions` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_stripe` ON `subscriptions` (`stripe_subscription_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text,
	`email` text NOT NULL,
	`is_admin` integer DEFAULT false NOT NULL,
	`plan_type` text DEFAULT 'free' NOT NULL,
	`stripe_customer_id` text,
	`stripe_subscription_id` text,
	`converting_customer_id` text,
	`billing_revision` text DEFAULT '' NOT NULL,
	`billing_anchor` integer,
	`monthly_upload_total` integer DEFAULT 0 NOT NULL,
	`monthly_transfer_count` integer DEFAULT 0 NOT NULL,
	`current_period_start` integer NOT NULL,
	`current_period_end` integer NOT NULL,
	`is_verified` integer DEFAULT false NOT NULL,
	`verification_token` text,
	`verification_token_expiry` integer,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_monthly_totals" CHECK("users"."monthly_upload_total" >= 0 and "users"."monthly_transfer_count" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_verification_token` ON `users` (`verification_token`) WHERE "users"."verification_token" is not null;--> statement-breakpoint
CREATE INDEX `users_deleted` ON `users` (`deleted_at`) WHERE "users"."deleted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_stripe_customer` ON `users` (`stripe_customer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_converting_customer` ON `users` (`converting_customer_id`);--> statement-breakpoint
CREATE INDEX `users_period_end` ON `users` (`current_period_end`);--> statement-breakpoint
CREATE INDEX `users_newest` ON `users` (`created_at`);--> statement-breakpoint
CREATE INDEX `users_admins` ON `users` (`id`) WHERE "users"."is_admin" = 1;--> statement-breakpoint
CREATE INDEX `users_plan` ON `users` (`plan_type`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verifications_identifier` ON `verifications` (`identifier`);--> statement-breakpoint
CREATE INDEX `verifications_expires` ON `verifications` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `plan_days` (
	`day` text NOT NULL,
	`plan_type` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`day`, `plan_type`)
);
--> statement-breakpoint
CREATE TABLE `plan_numbers` (
	`plan_type` text PRIMARY KEY NOT NULL,
	`users` integer NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL,
	`taken_at` integer NOT NULL
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
CREATE TABLE `stripe_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`handled_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stripe_events_handled` ON `stripe_events` (`handled_at`);--> statement-breakpoint
CREATE TABLE `reconciliation_findings` (
	`s3_key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`file_id` text,
	`size_bytes` integer NOT NULL,
	`found_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	CONSTRAINT "reconciliation_findings_kind" CHECK("reconciliation_findings"."kind" in ('orphan', 'lost'))
);
--> statement-breakpoint
CREATE INDEX `reconciliation_findings_found` ON `reconciliation_findings` (`found_at`);--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`cursor` text DEFAULT '' NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`orphans` integer DEFAULT 0 NOT NULL,
	`lost` integer DEFAULT 0 NOT NULL,
	`orphans_first_seen` integer DEFAULT 0 NOT NULL,
	`orphans_deleted_unapproved` integer DEFAULT 0 NOT NULL,
	`stopped_at` integer
);
--> statement-breakpoint
CREATE INDEX `reconciliations_started` ON `reconciliations` (`started_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliations_unfinished` ON `reconciliations` (("finished_at" is null)) WHERE "reconciliations"."finished_at" is null;--> statement-breakpoint
CREATE TABLE `contact_submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`is_read` integer DEFAULT false NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_submissions_newest` ON `contact_submissions` (`created_at`);--> statement-breakpoint
CREATE INDEX `contact_submissions_email` ON `contact_submissions` ("email" collate nocase);--> statement-breakpoint
CREATE INDEX `contact_submissions_unread` ON `contact_submissions` (`created_at`) WHERE "contact_submissions"."is_read" = 0;--> statement-breakpoint
CREATE INDEX `contact_submissions_whole_address` ON `contact_submissions` (`created_at`) WHERE instr("contact_submissions"."ip_address", '/') = 0;--> statement-breakpoint
CREATE TABLE `page_content` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`content` text NOT NULL,
	`last_updated_by` text DEFAULT 'admin' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_content_slug` ON `page_content` (`slug`);--> statement-breakpoint
CREATE TABLE `seo_content` (
	`id` text PRIMARY KEY NOT NULL,
	`page` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`keywords` text NOT NULL,
	`og_title` text,
	`og_description` text,
	`og_image` text,
	`twitter_title` text,
	`twitter_description` text,
	`twitter_image` text,
	`structured_data` text,
	`canonical_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `seo_content_page` ON `seo_content` (`page`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`filename` text NOT NULL,
	`original_filename` text NOT NULL,
	`size` integer NOT NULL,
	`mime_type` text NOT NULL,
	`s3_key` text NOT NULL,
	`download_id` text NOT NULL,
	`status` text DEFAULT 'uploading' NOT NULL,
	`expiration` text NOT NULL,
	`expiration_chosen` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`uploaded_at` integer,
	`expires_at` integer,
	`download_count` integer DEFAULT 0 NOT NULL,
	`is_expired` integer DEFAULT false NOT NULL,
	`s3_deleted_at` integer,
	`deleted_at` integer,
	`admin_deleted` integer DEFAULT false NOT NULL,
	`takedown_reason` text,
	`etag` text,
	`sha256` text,
	`sha256_source` text,
	`last_modified` integer,
	`fingerprint` text,
	`upload_token_hash` text,
	`reserved_period_start` integer NOT NULL,
	`abandon_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "files_status" CHECK("files"."status" in ('uploading', 'ready', 'failed', 'cancelled')),
	CONSTRAINT "files_sha256_source" CHECK("files"."sha256_source" is null or "files"."sha256_source" in ('server', 'browser')),
	CONSTRAINT "files_size" CHECK("files"."size" >= 0),
	CONSTRAINT "files_ready_is_whole" CHECK("files"."status" <> 'ready' or ("files"."uploaded_at" is not null and "files"."etag" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_download_id` ON `files` (`download_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `files_s3_key` ON `files` (`s3_key`);--> statement-breakpoint
CREATE INDEX `files_owner_newest` ON `files` (`user_id`,`uploaded_at`) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `files_owner_unfinished` ON `files` (`user_id`) WHERE "files"."status" = 'uploading';--> statement-breakpoint
CREATE INDEX `files_owner_stored` ON `files` (`user_id`,`size`) WHERE "files"."status" in ('uploading', 'ready') and "files"."s3_deleted_at" is null;--> statement-breakpoint
CREATE INDEX `files_owner_never` ON `files` (`user_id`) WHERE "files"."status" = 'ready' and "files"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `files_sweep` ON `files` (`expires_at`) WHERE "files"."expires_at" is not null and "files"."s3_deleted_at" is null;--> statement-breakpoint
CREATE INDEX `files_expired` ON `files` (`expires_at`) WHERE "files"."status" = 'ready' and "files"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `files_name` ON `files` ("filename" collate nocase) WHERE "files"."status" = 'ready' and "files"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `files_bytes_gone` ON `files` (`s3_deleted_at`) WHERE "files"."s3_deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `files_ended` ON `files` (`created_at`) WHERE "files"."status" in ('failed', 'cancelled');--> statement-breakpoint
CREATE INDEX `files_abandoned` ON `files` (`abandon_at`) WHERE "files"."status" = 'uploading';--> statement-breakpoint
CREATE TABLE `upload_audit_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`original_filename` text NOT NULL,
	`file_size` integer NOT NULL,
	`mime_type` text NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`status` text NOT NULL,
	`error_message` text,
	`error_code` text,
	`timestamp` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "upload_audit_logs_status" CHECK("upload_audit_logs"."status" in ('success', 'failed', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `upload_audit_logs_timestamp` ON `upload_audit_logs` (`timestamp`);--> statement-breakpoint
CREATE INDEX `upload_audit_logs_user` ON `upload_audit_logs` (`user_id`,`timestamp`);--> statement-breakpoint
CREATE INDEX `upload_audit_logs_status` ON `upload_audit_logs` (`status`,`timestamp`);--> statement-breakpoint
CREATE INDEX `upload_audit_logs_whole_address` ON `upload_audit_logs` (`timestamp`) WHERE instr("upload_audit_logs"."ip_address", '/') = 0;--> statement-breakpoint
CREATE TABLE `local_mailbox` (
	`id` text PRIMARY KEY NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `local_mailbox_newest` ON `local_mailbox` (`sent_at`);--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `suspected_orphans` (
	`s3_key` text PRIMARY KEY NOT NULL,
	`size_bytes` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`approved_at` integer
);
--> statement-breakpoint
CREATE INDEX `suspected_orphans_unapproved` ON `suspected_orphans` (`first_seen_at`,`size_bytes`) WHERE "suspected_orphans"."approved_at" is null;