CREATE TABLE `suspected_orphans` (
	`s3_key` text PRIMARY KEY NOT NULL,
	`size_bytes` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`approved_at` integer
);
--> statement-breakpoint
CREATE INDEX `suspected_orphans_unapproved` ON `suspected_orphans` (`first_seen_at`,`size_bytes`) WHERE "suspected_orphans"."approved_at" is null;--> statement-breakpoint
ALTER TABLE `censuses` ADD `orphans_first_seen` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `censuses` ADD `orphans_deleted_unapproved` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `censuses` ADD `stopped_at` integer;