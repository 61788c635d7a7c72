CREATE TABLE `stripe_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`handled_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stripe_events_handled` ON `stripe_events` (`handled_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `converting_customer_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `billing_revision` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `billing_anchor` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `users_stripe_customer` ON `users` (`stripe_customer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_converting_customer` ON `users` (`converting_customer_id`);--> statement-breakpoint
CREATE INDEX `users_period_end` ON `users` (`current_period_end`);--> statement-breakpoint
CREATE INDEX `files_owner_stored` ON `files` (`user_id`,`size`) WHERE "files"."status" in ('uploading', 'ready') and "files"."s3_deleted_at" is null;--> statement-breakpoint
CREATE INDEX `files_owner_never` ON `files` (`user_id`) WHERE "files"."status" = 'ready' and "files"."expires_at" is null;