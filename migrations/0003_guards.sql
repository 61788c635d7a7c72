ALTER TABLE `files` ADD `guard_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `password_hash` text;--> statement-breakpoint
ALTER TABLE `files` ADD `max_downloads` integer CONSTRAINT "files_max_downloads" CHECK("max_downloads" between 1 and 1000);--> statement-breakpoint
ALTER TABLE `files` ADD `downloads_used` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `files` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `end_reason` text;--> statement-breakpoint
ALTER TABLE `files` ADD `seal` text;--> statement-breakpoint
ALTER TABLE `files` ADD `access_hash` text;
