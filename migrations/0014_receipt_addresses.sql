CREATE TABLE `receipt_addresses` (
	`address_digest` text PRIMARY KEY NOT NULL,
	`confirmed_at` integer,
	`mails` integer DEFAULT 0 NOT NULL,
	`day_began` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `receipt_addresses_unconfirmed` ON `receipt_addresses` (`day_began`) WHERE "receipt_addresses"."confirmed_at" is null;--> statement-breakpoint
DROP INDEX `files_start_key`;--> statement-breakpoint
CREATE UNIQUE INDEX `files_start_key` ON `files` (`api_key_id`,`start_key`) WHERE "files"."start_key" is not null;