CREATE TABLE `device_codes` (
	`device_hash` text PRIMARY KEY NOT NULL,
	`user_hash` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`next_poll_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "device_codes_state" CHECK("device_codes"."state" in ('waiting', 'approved', 'refused'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_codes_user_code` ON `device_codes` (`user_hash`);--> statement-breakpoint
CREATE INDEX `device_codes_user` ON `device_codes` (`user_id`);--> statement-breakpoint
CREATE INDEX `device_codes_run_out` ON `device_codes` (`expires_at`);