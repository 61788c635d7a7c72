CREATE TABLE `blocked_sums` (
	`sha256` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL,
	`added_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `blocked_sums_label` ON `blocked_sums` (`label`,`added_at`);--> statement-breakpoint
ALTER TABLE `overview_days` ADD `blocked` integer DEFAULT 0 NOT NULL;