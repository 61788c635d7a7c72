DROP INDEX `files_owner_never`;--> statement-breakpoint
ALTER TABLE `files` ADD `chosen_end` integer;--> statement-breakpoint
CREATE INDEX `files_owner_forever` ON `files` (`user_id`,`expires_at`) WHERE "files"."status" = 'ready' and "files"."expiration" = 'never';
