CREATE TABLE `sealed_manifests` (
	`transfer_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`body` text NOT NULL,
	FOREIGN KEY (`transfer_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `file_reports` ADD `shared_key` text;--> statement-breakpoint
CREATE INDEX `file_reports_shared_key` ON `file_reports` (`created_at`) WHERE "file_reports"."shared_key" is not null;--> statement-breakpoint
ALTER TABLE `files` ADD `manifest_revision` integer;--> statement-breakpoint
ALTER TABLE `files` ADD `manifest_final` integer DEFAULT false NOT NULL;