CREATE TABLE `mail_days` (
	`day` text PRIMARY KEY NOT NULL,
	`sent` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `refused_at` integer;--> statement-breakpoint
CREATE INDEX `mail_outbox_refused` ON `mail_outbox` (`refused_at`) WHERE refused_at is not null;