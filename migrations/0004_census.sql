CREATE TABLE `census_findings` (
	`s3_key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`file_id` text,
	`size_bytes` integer NOT NULL,
	`found_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	CONSTRAINT "census_findings_kind" CHECK("census_findings"."kind" in ('orphan', 'lost'))
);
--> statement-breakpoint
CREATE INDEX `census_findings_found` ON `census_findings` (`found_at`);--> statement-breakpoint
CREATE TABLE `censuses` (
	`id` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`cursor` text DEFAULT '' NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`orphans` integer DEFAULT 0 NOT NULL,
	`lost` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `censuses_started` ON `censuses` (`started_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `censuses_unfinished` ON `censuses` (("finished_at" is null)) WHERE "censuses"."finished_at" is null;