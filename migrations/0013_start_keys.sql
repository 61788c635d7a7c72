DROP INDEX `files_start_key`;--> statement-breakpoint
CREATE UNIQUE INDEX `files_start_key` ON `files` (`api_key_id`,`start_key`) WHERE "files"."start_key" is not null;