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
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "subscriptions_plan_type" CHECK("subscriptions"."plan_type" in ('free', 'professional', 'ultimate'))
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
	CONSTRAINT "users_plan_type" CHECK("users"."plan_type" in ('free', 'professional', 'ultimate')),
	CONSTRAINT "users_monthly_totals" CHECK("users"."monthly_upload_total" >= 0 and "users"."monthly_transfer_count" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_verification_token` ON `users` (`verification_token`) WHERE "users"."verification_token" is not null;--> statement-breakpoint
CREATE INDEX `users_deleted` ON `users` (`deleted_at`) WHERE "users"."deleted_at" is not null;--> statement-breakpoint
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
	CONSTRAINT "files_expiration" CHECK("files"."expiration" in ('3m', '6h', '1d', '3d', '7d', '30d', '60d', '1y', 'never')),
	CONSTRAINT "files_sha256_source" CHECK("files"."sha256_source" is null or "files"."sha256_source" in ('server', 'browser')),
	CONSTRAINT "files_size" CHECK("files"."size" >= 0),
	CONSTRAINT "files_ready_is_whole" CHECK("files"."status" <> 'ready' or ("files"."uploaded_at" is not null and "files"."etag" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_download_id` ON `files` (`download_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `files_s3_key` ON `files` (`s3_key`);--> statement-breakpoint
CREATE INDEX `files_owner_newest` ON `files` (`user_id`,`uploaded_at`) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `files_owner_unfinished` ON `files` (`user_id`) WHERE "files"."status" = 'uploading';--> statement-breakpoint
CREATE INDEX `files_sweep` ON `files` (`expires_at`) WHERE "files"."expires_at" is not null and "files"."s3_deleted_at" is null;--> statement-breakpoint
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
CREATE INDEX `upload_audit_logs_user` ON `upload_audit_logs` (`user_id`);--> statement-breakpoint
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
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`next_attempt_at`);