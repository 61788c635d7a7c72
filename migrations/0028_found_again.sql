CREATE TABLE `transfer_names` (
	`file_id` text PRIMARY KEY NOT NULL,
	`names` text NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `files` ADD `labels` text;--> statement-breakpoint
CREATE INDEX `files_labelled` ON `files` (`user_id`) WHERE "files"."status" = 'ready' and "files"."deleted_at" is null
    and ("files"."request_id" is null or "files"."forwarded_at" is not null) and "files"."labels" is not null;
