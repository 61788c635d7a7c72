CREATE TABLE `receipt_addresses` (
	`address_digest` text PRIMARY KEY NOT NULL,
	`confirmed_at` integer,
	`mails` integer DEFAULT 0 NOT NULL,
	`day_began` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `receipt_addresses_unconfirmed` ON `receipt_addresses` (`day_began`) WHERE "receipt_addresses"."confirmed_at" is null;